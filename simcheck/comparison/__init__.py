"""Comparing a prediction with its truth: pairing, measures, trees, frames, explanation."""

from simcheck.comparison.frames import FrameOptions
from simcheck.comparison.run import CompareOptions, compare, exceeded

__all__ = ["CompareOptions", "FrameOptions", "compare", "exceeded"]
