"""A prediction read from a file of any known format."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from simcheck.asset.model import ArticulatedObject, ReadOptions
from simcheck.asset.read import build
from simcheck.errors import AssetWarning, UsageError
from simcheck.formats import articulate_anything, cage, digital_twin_art, ditto, paris, partnet_mobility, plain, urdf
from simcheck.formats.detection import detect
from simcheck.formats.source import Reading, Source

READERS: Mapping[str, Callable[[Source], Reading]] = MappingProxyType(
    {
        "urdf": urdf.read,
        "cage": cage.read,
        "singapo": cage.read,
        "paris": paris.read,
        "digital_twin_art": digital_twin_art.read,
        "ditto": ditto.read,
        "partnet_mobility": partnet_mobility.read,
        "articulate_anything": articulate_anything.read,
        "plain": plain.read,
    }
)


@dataclass(frozen=True, eq=False)
class Prediction:
    """What a file predicts.

    Parameters
    ----------
    format
        Name of the format it was read in.
    object
        The articulated object. Its world frame is the frame of the file; lengths are those of the file, angles rad.
    tree_known
        False for a list of joints without a usable tree: they hang on one base link, and only the relaxed tree
        distance has a meaning.
    missing_limits
        Names of the joints for which the file gives no limits; in `object` they are unbounded.
    """

    format: str
    object: ArticulatedObject
    tree_known: bool
    missing_limits: frozenset[str]

    @property
    def limits_known(self) -> bool:
        """Whether the file gives limits for every joint that needs them."""
        return not self.missing_limits

    @property
    def warnings(self) -> tuple[AssetWarning, ...]:
        """What was assumed or looks odd in the reading, as in ``object.warnings``."""
        return self.object.warnings


def load_prediction(
    path: str | Path,
    format: str | None = None,
    options: ReadOptions | None = None,
    *,
    limits_may_be_missing: bool = False,
) -> Prediction:
    """Read a prediction.

    Parameters
    ----------
    path
        The file.
    format
        Name of its format, one of `READERS`; by default told from the content.
    options
        How the object is read (`simcheck.ReadOptions`).
    limits_may_be_missing
        Leave a joint without limits unbounded and name it in `Prediction.missing_limits` instead of refusing the
        file.

    Returns
    -------
    Prediction

    Raises
    ------
    AssetError
        The file is of no known format or has no single meaning: file, place, cause and cure.
    UsageError
        There is no format of that name.
    """
    source = Source(Path(path), limits_may_be_missing)
    if format is not None and format not in READERS:
        raise UsageError(f"--format: no format {format!r}; there are: {', '.join(READERS)}")
    name = format or detect(source)
    reading = READERS[name](source)
    obj = build(reading.clean, options or ReadOptions())
    missing = frozenset(reading.clean.missing_limits & {joint.name for joint in obj.joints})
    return Prediction(name, obj, reading.tree_known, missing)
