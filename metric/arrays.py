"""Arrays of any library (NumPy, PyTorch, JAX) at the border of the package.

Lists and NumPy arrays become float64; PyTorch and JAX arrays keep library, dtype and device, so gradients
flow. Everything behind the border works on arrays that have been through `validated`.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from numbers import Real
from typing import Any

import array_api_compat
import numpy as np

from metric.errors import MetricError, ShapeError

Array = Any  # an array of any supported library


def namespace(*arrays: Array) -> Any:
    """The array namespace that the given arrays share."""
    if all(type(array) is np.ndarray for array in arrays):
        return _numpy_namespace()
    try:
        return array_api_compat.array_namespace(*arrays)
    except TypeError:
        libraries = sorted({type(a).__module__.split(".")[0] for a in arrays})
        mixture = " and ".join(libraries)
        raise MetricError(f"expected arrays of one library, got {mixture}: convert them first") from None


@functools.cache
def _numpy_namespace() -> Any:
    """Asked for once, and not at import: it pulls in all of numpy (0.1 s)."""
    return array_api_compat.array_namespace(np.empty(0))


def is_foreign(value: Any) -> bool:
    """Whether a value is an array of a library other than NumPy."""
    return array_api_compat.is_array_api_obj(value) and not array_api_compat.is_numpy_array(value)


def validated(**arguments: tuple[Any, tuple[int, ...]]) -> list[Array]:
    """Each argument as a floating array of one common library, its trailing shape checked.

    Parameters
    ----------
    **arguments
        ``name=(value, trailing_shape)``; the name is used in messages.

    Raises
    ------
    ShapeError     a trailing shape is wrong
    MetricError    not numbers, or arrays of different libraries
    """
    foreign = [value for value, _ in arguments.values() if is_foreign(value)]
    numpy_arrays = [v for v, _ in arguments.values() if isinstance(v, np.ndarray) and v.ndim > 0]
    xp = namespace(*foreign, *(numpy_arrays if foreign else []), *([] if foreign else [np.empty(0)]))
    result = []
    for name, (value, trailing) in arguments.items():
        array = like(value, foreign[0], name) if foreign else _as_float64(value, name)
        if tuple(array.shape[array.ndim - len(trailing) :]) != trailing or array.ndim < len(trailing):
            expected = ", ".join(["...", *map(str, trailing)])
            raise ShapeError(f"{name}: expected shape ({expected}), got {tuple(array.shape)}")
        result.append(array)
    if foreign:
        dtype = xp.result_type(*result)
        result = [xp.astype(array, dtype, copy=False) for array in result]
    return result


def like(value: Any, reference: Array, name: str = "value") -> Array:
    """The value as a floating array of the reference's library, dtype (if floating) and device."""
    xp = namespace(reference)
    if not is_foreign(reference):
        if is_foreign(value):
            namespace(reference, value)  # says which libraries were mixed
        return _as_float64(value, name)
    floating = xp.isdtype(reference.dtype, "real floating")
    dtype = reference.dtype if floating else xp.asarray(0.0).dtype
    if is_foreign(value):
        namespace(reference, value)
        if not xp.isdtype(value.dtype, ("real floating", "integral", "bool")):
            raise MetricError(f"{name}: expected real numbers, got {value.dtype}")
        return value if xp.isdtype(value.dtype, "real floating") else xp.astype(value, dtype)
    array = np.array(_as_float64(value, name), order="C")  # PyTorch takes no read-only and no reversed arrays
    return xp.asarray(array, dtype=dtype, device=array_api_compat.device(reference))


def _as_float64(value: Any, name: str) -> np.ndarray:
    if isinstance(value, np.ndarray) and value.dtype == np.float64:
        return np.asarray(value)
    try:
        array = np.asarray(value)
    except (TypeError, ValueError):
        array = np.empty(0, dtype=object)
    if array.dtype.kind in "biuf":
        return array.astype(np.float64, copy=False)
    raise MetricError(f"{name}: expected numbers in a regular array, got {shown(value)}")


def shown(value: Any) -> str:
    """A value as a message shows it: one short line."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 80 else f"{text[:77]}..."


def holds(condition: Array, *, unknown: bool = True) -> bool:
    """Whether a condition holds everywhere; `unknown` where it cannot be looked at (a traced array)."""
    xp = namespace(condition)
    try:
        return bool(xp.all(condition))
    except (TypeError, RuntimeError):  # jax.jit and torch.func.vmap refuse to look at values
        return unknown


def rounding(array: Array) -> float:
    """Machine epsilon of the array's dtype."""
    return float(namespace(array).finfo(array.dtype).eps)


def stop_gradient(array: Array) -> Array:
    """The same values, through which no gradient flows."""
    if array_api_compat.is_torch_array(array):
        return array.detach()
    if array_api_compat.is_jax_array(array):
        from jax.lax import stop_gradient as stop

        return stop(array)
    return array


def require_finite(name: str, array: Array, *, infinity_allowed: bool = False) -> None:
    """Raise `MetricError` naming the argument and the first bad entry."""
    xp = namespace(array)
    good = ~xp.isnan(array) if infinity_allowed else xp.isfinite(array)
    if not holds(good):
        index = tuple(int(i[0]) for i in np.nonzero(~np.asarray(good)))
        expected = "no NaN" if infinity_allowed else "finite numbers"
        where = f" at index {index}" if index else ""
        raise MetricError(f"{name}: expected {expected}, got {float(array[index])}{where}")


def require_positive(name: str, value: Any) -> None:
    """Raise `MetricError` unless the value is a positive finite number."""
    if not (isinstance(value, Real) and 0 < float(value) < math.inf):
        raise MetricError(f"{name}: expected a positive finite number, got {value!r}")


def broadcast_leading(name: str, *shapes: Sequence[int]) -> tuple[int, ...]:
    """The common leading shape, or a `ShapeError` that shows the shapes."""
    try:
        return np.broadcast_shapes(*(tuple(s) for s in shapes))
    except ValueError:
        leading = ", ".join(str(tuple(s)) for s in shapes)
        raise ShapeError(f"{name}: leading dimensions {leading} do not broadcast") from None


def cross(a: Array, b: Array) -> Array:
    """Cross product over the last axis, with broadcasting of the leading ones."""
    xp = namespace(a, b)
    return xp.stack(
        [
            a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1],
            a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2],
            a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0],
        ],
        axis=-1,
    )


def identity_like(matrix: Array) -> Array:
    """Identity with the width, dtype and device of a matrix (..., m, n): shape (n, n)."""
    xp = namespace(matrix)
    return xp.eye(matrix.shape[-1], dtype=matrix.dtype, device=array_api_compat.device(matrix))


def apply(matrix: Array, vector: Array) -> Array:
    """Matrix (..., m, n) times vector (..., n), with broadcasting."""
    xp = namespace(matrix, vector)
    return xp.matmul(matrix, vector[..., None])[..., 0]


def magnitude(vector: Array, axis: int = -1) -> Array:
    """Euclidean length over an axis, the last one by default.

    Neither overflows nor underflows (1e-200 … 1e200 are fine), and its gradient at 0 is 0 instead of NaN.
    """
    xp = namespace(vector)
    largest = xp.max(xp.abs(vector), axis=axis, keepdims=True)
    zero = largest == 0
    plain = zero | xp.isinf(largest)
    scale = stop_gradient(xp.where(plain, xp.ones_like(largest), largest))  # the length does not depend on it
    squares = xp.sum((vector / scale) ** 2, axis=axis, keepdims=True)
    length = xp.where(zero, 0.0 * largest, scale * xp.sqrt(xp.where(zero, xp.ones_like(squares), squares)))
    return xp.squeeze(length, axis=axis)
