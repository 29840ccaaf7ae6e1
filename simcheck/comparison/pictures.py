"""Pictures of pairs: both motions on the true object, the ends of the prediction as they were paired."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simcheck.asset import ReadOptions, load
from simcheck.comparison.joints import ComparedJoints, compare_joints, ends_swapped
from simcheck.comparison.options import CompareOptions
from simcheck.comparison.run import read_prediction
from simcheck.errors import SimcheckError
from simcheck.pictures import pair_picture
from simcheck.report.images import png_bytes
from simcheck.report.page import Picture, PictureSection
from simcheck.results import read_options, unchanged

WORST = 12  # pictures of a page
NOTHING = 1e-12  # m: an error that is rounding has no picture
_TILE = (240, 180)
_COLOURS = 32


@dataclass(frozen=True)
class Case:
    """A pair of joints to draw: where it comes from, and the words beside it."""

    ground_truth: str
    prediction: str
    joint: str  # of the ground truth
    options: CompareOptions
    read: ReadOptions
    title: str
    caption: str


def pair_image(found: ComparedJoints, k: int, size: tuple[int, int]) -> NDArray[np.uint8] | None:
    """The picture of the k-th pair, (height, width, 4); None where nothing of it can be seen."""
    pair = found.pairing.pairs[k]
    guess = pair.prediction.motion
    if ends_swapped(found.entries[k]) and guess.kind != "fixed":
        guess = guess.reversed()
    return pair_picture(found.ground_truth, pair.ground_truth.name, pair.ground_truth.motion, guess, size)


def worst_section(heading: str, cases: Iterable[Case], inputs: Mapping[str, str]) -> list[PictureSection]:
    """A section with a picture of each case that can be drawn; none without any.

    Parameters
    ----------
    heading
    cases
        The worst first.
    inputs
        SHA-256 of the files by name: files that are gone or have changed since are not drawn.
    """
    given = list(cases)
    files = {name for case in given for name in (case.ground_truth, case.prediction)}
    gone = {name for name in files if not unchanged(name, inputs)}
    drawn = [case for case in given if not gone & {case.ground_truth, case.prediction}]
    pictures = list(_pictures(drawn))
    text = (
        "The largest E_B first: truth in blue, prediction in orange, at the end of the travel farther from rest. To "
        "move them, give the two files to simcheck view."
    )
    if len(drawn) < len(given):
        text += f" Not drawn: {len(given) - len(drawn)}, whose files are gone or have changed since."
    return [PictureSection(heading, pictures, text)] if pictures else []


def _pictures(cases: Iterable[Case]) -> Iterator[Picture]:
    compared: dict[tuple[str, str], ComparedJoints | None] = {}
    for case in cases:
        files = case.ground_truth, case.prediction
        if files not in compared:
            compared[files] = _compared(*files, case.options, case.read)
        found = compared[files]
        names = [] if found is None else [pair.ground_truth.name for pair in found.pairing.pairs]
        if found is None or case.joint not in names:
            continue
        image = pair_image(found, names.index(case.joint), _TILE)
        if image is not None:
            yield Picture(png_bytes(image, _COLOURS), case.title, case.caption, f"Both motions of {case.joint}")


def _compared(truth: str, prediction: str, options: CompareOptions, read: ReadOptions) -> ComparedJoints | None:
    """Both objects and their pairs again, d in closed form; None where they can no longer be compared."""
    try:
        return compare_joints(load(truth, read), read_prediction(prediction, options, read), options, explained=False)
    except SimcheckError:
        return None


def compared_with(settings: Mapping[str, Any]) -> tuple[CompareOptions, ReadOptions]:
    """The options that saved settings name, without the simulator and without the code of a user's own norm."""
    return replace(CompareOptions.from_settings(settings), simulate=False, norm=None), read_options(settings)
