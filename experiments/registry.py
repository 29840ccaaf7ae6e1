"""The experiments by name, in the order in which they are run and shown."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from experiments.experiment import Experiment

EXPERIMENTS = {
    "inner-product": "experiments.inner_product",
    "bound": "experiments.bound",
    "components": "experiments.components",
    "failure-cases": "experiments.failure_cases",
    "alpha": "experiments.alpha",
    "kappa": "experiments.kappa",
    "sampling": "experiments.sampling",
    "tree": "experiments.tree",
    "benchmark": "experiments.benchmark",
}
"""Module of each experiment."""


def experiment(name: str) -> Experiment:
    """The experiment of that name."""
    return cast(Experiment, import_module(EXPERIMENTS[name]))
