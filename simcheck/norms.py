"""A user's own inner product on twists: ``--norm MODULE:FUNCTION``.

The function is called once for each joint, ``function(body, size)``:

- ``body``: the `metric.Body` that the joint moves (mass in kg, com in m, inertia about the com in kg m^2; world frame
  at rest),
- ``size``: diagonal of the object's box at rest, m.

It returns the inner product as a symmetric positive definite 6 x 6 matrix G, ``norm(z)^2 = z^T G z``, or as an object
with that matrix as ``.gram`` (every norm of `metric` is one). Twists are ``z = (omega, v)``, angular part first, in
radians and metres, in the world frame at rest. The module is looked for in the current folder, then where Python looks.
"""

from __future__ import annotations

import importlib
import inspect
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metric import Body, MetricError, RiemannianNorm
from simcheck.errors import UsageError

_CONTRACT = "function(body, size) returns a symmetric positive definite 6 x 6 matrix, or an object with it as .gram"
_PROBE = Body(2.0, (0.1, -0.2, 0.3), np.diag([0.02, 0.03, 0.04]))


@dataclass(frozen=True)
class OwnNorm:
    """An inner product of the user's: what was asked for, and the function."""

    spec: str
    function: Callable[[Body, float], Any]

    @property
    def source(self) -> Path | None:
        """File of the function, for the record of inputs."""
        try:
            return Path(inspect.getsourcefile(self.function) or "")
        except TypeError:  # not written in Python
            return None

    def gram(self, body: Body, size: float, about: str = "") -> NDArray[np.float64]:
        """The matrix (6, 6) for one body, checked; ``about`` names the joint in messages."""
        place = f"--norm {self.spec}" + (f": {about}" if about else "")
        try:
            returned = self.function(body, size)
        except Exception as error:
            raise UsageError(f"{place}: the function failed: {type(error).__name__}: {error}") from error
        try:
            matrix = np.asarray(getattr(returned, "gram", returned), dtype=np.float64)
        except (TypeError, ValueError):
            raise UsageError(f"{place}: got {type(returned).__name__}; {_CONTRACT}") from None
        if matrix.shape != (6, 6):
            shown = f"shape {matrix.shape}" if matrix.ndim else type(returned).__name__
            raise UsageError(f"{place}: got {shown}; {_CONTRACT}")
        try:
            return np.asarray(RiemannianNorm(matrix).gram)
        except MetricError as error:
            raise UsageError(f"{place}: {str(error).removeprefix('matrix: ')}; {_CONTRACT}") from None

    def norm(self, body: Body, size: float, about: str = "") -> RiemannianNorm:
        """The norm for one body."""
        return RiemannianNorm(self.gram(body, size, about))

    def norms(self, bodies: Sequence[Body], sizes: Sequence[float], abouts: Sequence[str]) -> RiemannianNorm:
        """One norm a body, as a batch (n,); equal bodies are asked for once."""
        known: dict[tuple[int, float], NDArray[np.float64]] = {}
        grams = []
        for body, size, about in zip(bodies, sizes, abouts, strict=True):
            key = (id(body), size)
            if key not in known:
                known[key] = self.gram(body, size, about)
            grams.append(known[key])
        return RiemannianNorm(np.stack(grams))


def norm_files(spec: str | None) -> list[Path]:
    """The file of a norm of the user's, for the record of inputs; none without one."""
    source = None if spec is None else load_norm(spec).source
    return [] if source is None else [source]


def load_norm(spec: str) -> OwnNorm:
    """The inner product that ``MODULE:FUNCTION`` names, tried once on a small box.

    Raises
    ------
    UsageError    not of that form, no such module or function, or what it returns is no inner product
    """
    module_name, separator, function_name = spec.partition(":")
    if not separator or not module_name or not function_name:
        raise UsageError(f"--norm: expected MODULE:FUNCTION, got {spec!r}")
    here = os.getcwd()
    if here not in sys.path and "" not in sys.path:
        sys.path.insert(0, here)
    try:
        module = importlib.import_module(module_name)
    except Exception as error:
        raise UsageError(f"--norm {spec}: cannot import {module_name}: {type(error).__name__}: {error}") from error
    function = getattr(module, function_name, None)
    if not callable(function):
        cause = "is no function" if hasattr(module, function_name) else "does not exist"
        raise UsageError(f"--norm {spec}: {function_name} {cause} in {module_name}")
    own = OwnNorm(spec, function)
    own.gram(_PROBE, 1.0, "tried on a box")
    return own
