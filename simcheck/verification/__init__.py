"""``simcheck verify``: does a file say what it means, and does a simulator do what it says?

reading, style, joints, links, meshes    facts of the file
claims, comparison, simulation           what a simulator holds against what the file says
pieces, sweep                            parts that pass through each other
catalogue                                what each code means
examination, batch, run                  one file, many files, the command
baseline, junit, sarif, page             what is done with the findings

`verify` itself is not imported here: `simcheck explain` needs neither NumPy nor a parser to print its catalogue.
"""

from simcheck.verification.catalogue import CATALOGUE, Entry
from simcheck.verification.finding import FileReport, Finding

__all__ = ["CATALOGUE", "Entry", "FileReport", "Finding"]
