"""Published per-component protocols, as published (bug for bug) or corrected.

Each module restates one protocol from its public code at the commit it names. `template` is the paper's section 3.2.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from metric.errors import MetricError, ShapeError
from metric.joint import Joint
from metric.protocols import (
    artgs,
    articulate_anything,
    digital_twin_art,
    ditto,
    opd,
    paris,
    real2code,
    template,
)
from metric.protocols.artgs import ArtgsErrors
from metric.protocols.articulate_anything import ArticulateAnythingErrors
from metric.protocols.digital_twin_art import DigitalTwinArtErrors
from metric.protocols.ditto import DittoErrors
from metric.protocols.geometry import Joints
from metric.protocols.opd import OpdErrors
from metric.protocols.paris import ParisErrors
from metric.protocols.real2code import Real2CodeErrors
from metric.protocols.result import ComponentErrors
from metric.protocols.template import TemplateErrors

__all__ = ["MODES", "NOT_JOINT_PARAMETERS", "PROTOCOLS", "ComponentErrors", "component_errors"]

MODES = ("corrected", "as_published")

_EVALUATE: dict[type[ComponentErrors], Callable[..., Any]] = {
    TemplateErrors: template.evaluate,
    DittoErrors: ditto.evaluate,
    ParisErrors: paris.evaluate,
    DigitalTwinArtErrors: digital_twin_art.evaluate,
    ArtgsErrors: artgs.evaluate,
    Real2CodeErrors: real2code.evaluate,
    ArticulateAnythingErrors: articulate_anything.evaluate,
    OpdErrors: opd.evaluate,
}

PROTOCOLS: dict[str, type[ComponentErrors]] = {result.protocol: result for result in _EVALUATE}
"""Result class of every protocol by name: its scores, units and directions are ``PROTOCOLS[name].quantities()``."""

NOT_JOINT_PARAMETERS = {
    "cage": "compares the geometry at several states",
    "singapo": "compares the geometry at several states",
    "particulate": "compares the geometry at several states",
    "urdformer": "publishes no joint metric",
    "spark": "publishes no code",
}
"""Methods whose published evaluation has no score of joint parameters, and why."""


def component_errors(
    *,
    ground_truth: Any,
    prediction: Any,
    protocol: str = "template",
    mode: str = "corrected",
    orientation: Any = None,
    diagonal: Any = None,
) -> ComponentErrors:
    """Older per-component scores of a prediction (paper 3.2 and A.4, and the public code of its peers).

    Parameters
    ----------
    ground_truth, prediction
        `Joint`, or sequences of N of them (one against many broadcasts); world frame at rest.
    protocol
        A key of `PROTOCOLS`: template, ditto, paris, digital_twin_art, artgs, real2code, articulate_anything, opd.
    mode
        ``corrected`` or ``as_published``; the classes in `PROTOCOLS` say what the difference is.
    orientation : array_like, shape (N,)
        Angle between the joints' frames in rad, for articulate_anything (a `Joint` has no frame); 0 if not given.
    diagonal : array_like, shape (N,)
        Diagonal of the moved part's box in m, for opd; its origin score is undefined without.

    Returns
    -------
    errors : ComponentErrors
        One attribute a score, with ``units``; an undefined score is NaN and ``reason(name)`` says why.

    Raises
    ------
    ShapeError     sequences of different lengths
    MetricError    unknown protocol or mode, something that is not a Joint, an option the protocol does not have

    Examples
    --------
    >>> door = Joint("revolute", axis=(0, 0, 1), upper=1.0)
    >>> errors = component_errors(ground_truth=door, prediction=door.reversed())
    >>> errors.axis, errors.limit_direction, errors.success   # a joint against itself, written the other way
    (0.0, 2.0, 1)
    >>> errors.origin, errors.reason("origin")
    (nan, 'the axes are parallel')
    """
    if protocol in NOT_JOINT_PARAMETERS:
        raise MetricError(f"protocol: {protocol} {NOT_JOINT_PARAMETERS[protocol]}, it has no score of joint parameters")
    if protocol not in PROTOCOLS:
        raise MetricError(f"protocol: expected one of {', '.join(PROTOCOLS)}, got {protocol!r}")
    if mode not in MODES:
        raise MetricError(f"mode: expected one of {', '.join(MODES)}, got {mode!r}")
    truth, predicted = Joints.of("ground_truth", ground_truth), Joints.of("prediction", prediction)
    if len(truth) != len(predicted) and 1 not in (len(truth), len(predicted)):
        raise ShapeError(f"ground_truth, prediction: expected as many joints, got {len(truth)} and {len(predicted)}")
    n = max(len(truth), len(predicted)) if len(truth) and len(predicted) else 0
    options = {"orientation": orientation, "diagonal": diagonal}
    given = {name: _broadcast(name, value, n) for name, value in options.items() if value is not None}
    for name in given:
        if (protocol, name) not in (("articulate_anything", "orientation"), ("opd", "diagonal")):
            raise MetricError(f"{name}: {protocol} does not use it")
    single = isinstance(ground_truth, Joint) and isinstance(prediction, Joint)
    evaluate = _EVALUATE[PROTOCOLS[protocol]]
    result: ComponentErrors = evaluate(truth.repeated(n), predicted.repeated(n), mode, single, **given)
    return result


def _broadcast(name: str, value: Any, n: int) -> Any:
    try:
        return np.broadcast_to(np.asarray(value, dtype=np.float64), (n,))
    except (TypeError, ValueError):
        raise MetricError(f"{name}: expected {n} numbers, got {value!r}") from None
