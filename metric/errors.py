"""Exceptions and warnings of the metric package."""

__all__ = ["MetricError", "MetricWarning", "ShapeError"]


class MetricError(ValueError):
    """An argument has no meaning for the metric; the message says what was expected and what came."""


class ShapeError(MetricError):
    """An array has the wrong trailing shape, or two arrays do not broadcast."""


class MetricWarning(UserWarning):
    """A legal but degenerate input: the value returned is defined, but look at it."""
