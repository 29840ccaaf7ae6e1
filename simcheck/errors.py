"""What the harness says when an input is bad: one message, never a traceback."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["AssetError", "AssetWarning", "SimcheckError", "SimulationError", "UsageError"]


class SimcheckError(Exception):
    """Base of everything that the command line shows as a message of one or two lines."""


class UsageError(SimcheckError):
    """The command or its options do not make sense together."""


class SimulationError(SimcheckError):
    """The simulator crashed, hung, or does not hold what it was given."""


class AssetError(SimcheckError):
    """A file cannot be used: which file, which element, which attribute, why, and what to do."""

    def __init__(self, file: str, cause: str, *, element: str = "", attribute: str = "", remedy: str = "") -> None:
        self.file, self.element, self.attribute = file, element, attribute
        self.cause, self.remedy = cause, remedy
        place = ", ".join(part for part in (element, attribute) if part)
        message = ": ".join(part for part in (file, place, cause) if part)
        super().__init__(f"{message}\n  {remedy}" if remedy else message)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (self.file, self.cause, self.element, self.attribute, self.remedy)


def _rebuild(file: str, cause: str, element: str, attribute: str, remedy: str) -> AssetError:
    return AssetError(file, cause, element=element, attribute=attribute, remedy=remedy)


@dataclass(frozen=True)
class AssetWarning:
    """A legal but suspicious place in a file: the numbers are given, look at it."""

    file: str
    element: str
    message: str

    def __str__(self) -> str:
        return ": ".join(part for part in (self.file, self.element, self.message) if part)
