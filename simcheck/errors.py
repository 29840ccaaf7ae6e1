"""What the harness says when an input is bad: one message, never a traceback."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "AssetError",
    "AssetWarning",
    "ProcessLost",
    "ProcessTimeout",
    "SimcheckError",
    "SimulationError",
    "UsageError",
]


class SimcheckError(Exception):
    """Base of everything that the command line shows as a message of one or two lines."""


class UsageError(SimcheckError):
    """The command or its options do not make sense together."""


class SimulationError(SimcheckError):
    """The simulator crashed, hung, or does not hold what it was given."""


class ProcessLost(SimulationError):
    """The process that did the work died, or was ended because it did not come to an end."""


class ProcessTimeout(ProcessLost):
    """It did not come to an end."""


class AssetError(SimcheckError):
    """A file cannot be used: which file, which element, which attribute, why, and what to do.

    ``code`` is the stable name of the fault (`simcheck explain CODE`), ``value`` what stands in the file.
    """

    def __init__(
        self,
        file: str,
        cause: str,
        *,
        element: str = "",
        attribute: str = "",
        remedy: str = "",
        code: str = "",
        value: str = "",
    ) -> None:
        self.file, self.element, self.attribute = file, element, attribute
        self.cause, self.remedy = cause, remedy
        self.code, self.value = code, value
        place = ", ".join(part for part in (element, attribute) if part)
        message = ": ".join(part for part in (file, place, cause) if part)
        super().__init__(f"{message}\n  {remedy}" if remedy else message)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (self.file, self.cause, self.element, self.attribute, self.remedy, self.code, self.value)


def _rebuild(file: str, cause: str, element: str, attribute: str, remedy: str, code: str, value: str) -> AssetError:
    return AssetError(file, cause, element=element, attribute=attribute, remedy=remedy, code=code, value=value)


@dataclass(frozen=True)
class AssetWarning:
    """A legal but suspicious place in a file: the numbers are given, look at it.

    ``code``, ``attribute`` and ``value`` are as in `AssetError`.
    """

    file: str
    element: str
    message: str
    code: str = ""
    attribute: str = ""
    value: str = ""

    def __str__(self) -> str:
        return ": ".join(part for part in (self.file, self.element, self.message) if part)
