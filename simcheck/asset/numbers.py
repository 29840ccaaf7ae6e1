"""Numbers as URDF writes them: strict, because every loader repairs a bad one in its own silent way."""

from __future__ import annotations

import math
import re

UNLIMITED = 1e10  # a limit from here on is none; loaders do not all take "inf" for a number
_PATTERN = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_NUMBER = re.compile(rf"{_PATTERN}\Z", re.ASCII)
_NUMBERS = re.compile(rf"\s*{_PATTERN}(?:\s+{_PATTERN})*\s*\Z", re.ASCII)
_INFINITE = re.compile(r"[+-]?(inf|infinity)\Z", re.IGNORECASE)


class NumberProblem(ValueError):
    """What is wrong with a text that should hold numbers; the caller knows where it stands."""

    code = "NUMBER_INVALID"


class CountProblem(NumberProblem):
    """Not as many numbers as there should be."""

    code = "NUMBER_COUNT"


def parse_number(text: str, *, infinity_allowed: bool = False) -> float:
    """One number; `NumberProblem` says what came instead."""
    word = text.strip(" \t\r\n")
    if _NUMBER.match(word):
        value = float(word)
        if math.isfinite(value) or infinity_allowed:
            return value
        raise NumberProblem(f"number too large: {text!r}")
    if _INFINITE.match(word) and infinity_allowed:
        return float(word)
    raise NumberProblem(_complaint(text, word))


def parse_vector(text: str, length: int) -> tuple[float, ...]:
    """Exactly ``length`` numbers separated by XML white space."""
    words = text.split()
    if len(words) == length and _NUMBERS.match(text):
        values = tuple(map(float, words))
        if all(map(math.isfinite, values)):
            return values
    if "$" in text or not text.isascii():
        raise NumberProblem(_complaint(text, text))
    if len(words) != length:
        commas = " (separate them by spaces, not commas)" if "," in text else ""
        raise CountProblem(f"{length} numbers expected, got {len(words)} in {text!r}{commas}")
    return tuple(parse_number(word) for word in words)


def limit_meant(limit: float) -> float:
    """A limit as it was read, infinite where it stands for none."""
    return math.copysign(math.inf, limit) if abs(limit) >= UNLIMITED else limit


def limit_written(limit: float) -> float:
    """A limit as it is written: finite, the inverse of `limit_meant`."""
    return min(max(limit, -UNLIMITED), UNLIMITED)


def _complaint(text: str, word: str) -> str:
    if not word:
        return "a number expected, got nothing"
    if word.lower().lstrip("+-") == "nan":
        return f"a number expected, got {word} (not a number)"
    if _INFINITE.match(word):
        return f"a finite number expected, got {word}"
    if "$" in word or "{" in word:
        return f"a number expected, got the unexpanded expression {text!r}: expand the file with xacro first"
    if "," in word:
        return f"a number expected, got {text!r}: use a decimal point and spaces, no comma"
    return f"a number expected, got {text!r}"
