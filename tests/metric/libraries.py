"""The array libraries that the metric works with, and their twins of a NumPy array."""

from __future__ import annotations

import importlib.util
import os
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

# Compiling is all that JAX does in these tests: fast compilation instead of fast code.
os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true")


@dataclass(frozen=True)
class Library:
    """Arrays of one library."""

    name: str

    def array(self, value: Any, dtype: str = "float64") -> Any:
        if self.name == "torch":
            import torch

            return torch.tensor(np.array(value), dtype=getattr(torch, dtype))
        if self.name == "jax":
            import jax

            jax.config.update("jax_enable_x64", True)
            return jax.numpy.asarray(np.asarray(value), dtype=dtype)
        return np.asarray(value, dtype=dtype)

    def call(self, function: Any, *values: Any, dtype: str = "float64") -> Any:
        """Value of a function of arrays, as an array of this library; compiled, in JAX."""
        if self.name == "jax":
            import jax

            function = jax.jit(function)
        return function(*(self.array(value, dtype) for value in values))

    def values_and_gradients(self, function: Any, *values: Any) -> tuple[np.ndarray, list[np.ndarray]]:
        """Values of a function of float64 arrays, and the gradients of their sum; compiled, in JAX."""
        if self.name == "torch":
            import torch

            leaves = [self.array(value).requires_grad_() for value in values]
            result = function(*leaves)
            gradients = torch.autograd.grad(result.sum(), leaves, materialize_grads=True)
            return result.detach().numpy(), [g.numpy() for g in gradients]
        import jax

        def total(*arrays: Any) -> Any:
            result = function(*arrays)
            return result.sum(), result

        compiled = jax.jit(jax.grad(total, argnums=tuple(range(len(values))), has_aux=True))
        gradients, result = compiled(*(self.array(v) for v in values))
        return np.asarray(result), [np.asarray(g) for g in gradients]


def _parameter(name: str) -> Any:
    missing = importlib.util.find_spec(name) is None
    return pytest.param(Library(name), id=name, marks=pytest.mark.skipif(missing, reason=f"{name} is not installed"))


TORCH, JAX = _parameter("torch"), _parameter("jax")
FOREIGN = [TORCH, JAX]
EAGER = [_parameter("numpy"), TORCH]


def finite_differences(function: Any, values: list[np.ndarray], step: float = 1e-6) -> list[np.ndarray]:
    """Central differences of a scalar function with respect to each array."""
    gradients = []
    for k, value in enumerate(values):
        gradient = np.zeros(value.shape)
        for index in np.ndindex(value.shape):
            ends = []
            for sign in (1, -1):
                moved = value.copy()
                moved[index] += sign * step
                ends.append(float(function(*values[:k], moved, *values[k + 1 :])))
            gradient[index] = (ends[0] - ends[1]) / (2 * step)
        gradients.append(gradient)
    return gradients
