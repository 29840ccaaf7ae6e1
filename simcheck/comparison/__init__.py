"""Comparing a prediction with its truth: pairing, measures, trees, frames, explanation."""

from simcheck.comparison.frames import FrameOptions
from simcheck.comparison.options import CompareOptions
from simcheck.comparison.run import compare, exceeded

__all__ = ["CompareOptions", "FrameOptions", "compare", "exceeded"]
