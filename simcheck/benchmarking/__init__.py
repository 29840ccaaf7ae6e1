"""Scoring methods over many objects: files, rows, the table of the paper, submissions, evaluation loops."""

from simcheck.benchmarking.accumulator import Accumulator
from simcheck.benchmarking.run import Benchmark, benchmark

__all__ = ["Accumulator", "Benchmark", "benchmark"]
