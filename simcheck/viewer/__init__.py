"""A page to look at an object, or at a prediction over its truth, with every joint on a slider.

scene        what is shown: joints side by side, their numbers, where every link is at any coordinate
geometry     the triangles of both objects, each different mesh once
drawing      the scene as pictures and films, without a browser
page         the scene as one HTML file (static/viewer.js draws it with three.js)
run          `view`, and what it returns
"""

from simcheck.viewer.run import View, view

__all__ = ["View", "view"]
