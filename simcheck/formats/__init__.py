"""Predictions in the formats of the field, read into articulated objects (SPEC section 8).

One module a format, named like the format: `urdf`, `cage` (and SINGAPO), `paris`, `digital_twin_art`, `ditto`,
`partnet_mobility`, `articulate_anything`, and `plain`, a documented JSON of our own. Each turns its file into a clean
URDF tree, so that every check of the reader of URDFs applies. The text for users is the topic ``formats``.
"""

from simcheck.formats.prediction import Prediction, load_prediction

__all__ = ["Prediction", "load_prediction"]
