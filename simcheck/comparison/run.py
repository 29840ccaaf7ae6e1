"""Comparing a prediction with its truth: joint by joint, as trees, from the simulator and in closed form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from simcheck.asset import ArticulatedObject, ReadOptions, load
from simcheck.comparison.joints import ComparedJoints, compare_joints
from simcheck.comparison.options import CompareOptions
from simcheck.comparison.pairing import Pairing
from simcheck.comparison.trees import tree_distances
from simcheck.formats import Prediction, load_prediction
from simcheck.norms import norm_files
from simcheck.results import Result, input_hashes, plain, read_settings, result
from simcheck.workers import TIMEOUT, Workers


def compare(
    ground_truth: str | Path | ArticulatedObject,
    prediction: str | Path | ArticulatedObject,
    *,
    options: CompareOptions | None = None,
    read: ReadOptions | None = None,
    timeout: float = TIMEOUT,
    workers: Workers | None = None,
    plot: Path | None = None,
    **changes: Any,
) -> Result:
    """How far one object's motion is from another's.

    Parameters
    ----------
    ground_truth, prediction
        URDF files, or objects that were read.
    options
        See `CompareOptions`; single options may be given by name instead: ``compare(a, b, alpha=2.0)``.
    read
        How files are read.
    timeout, workers
        Of the simulator's process.
    plot
        PNG file for a picture of both motions of every pair.

    Returns
    -------
    Result
        The JSON object of SPEC section 9, a dict; ``.rows`` is a polars data frame, and a notebook shows it as tables.

    Raises
    ------
    AssetError    a file has no single meaning
    UsageError    options that make no sense
    """
    chosen = CompareOptions(**changes) if options is None else replace(options, **changes)
    truth = ground_truth if isinstance(ground_truth, ArticulatedObject) else load(ground_truth, read)
    guessed = read_prediction(prediction, chosen, read)
    settings = {
        **chosen.settings(),
        **read_settings(truth.options),
        "inputs": input_hashes([truth.file, guessed.object.file, *norm_files(chosen.norm)]),
    }
    return compare_objects(truth, guessed, chosen, settings, timeout=timeout, workers=workers, plot=plot)


def read_prediction(
    source: str | Path | ArticulatedObject, options: CompareOptions, read: ReadOptions | None
) -> Prediction:
    """A prediction from a file of any known format, or an object that was read."""
    if isinstance(source, ArticulatedObject):
        return Prediction("urdf", source, tree_known=True, missing_limits=frozenset())
    return load_prediction(source, options.format, read, limits_may_be_missing=options.impute_limits == "gt")


def compare_objects(
    truth: ArticulatedObject,
    guessed: Prediction,
    options: CompareOptions,
    settings: dict[str, Any],
    *,
    timeout: float = TIMEOUT,
    workers: Workers | None = None,
    plot: Path | None = None,
    explained: bool = True,
) -> Result:
    """`compare` of a truth and a prediction that were read; ``explained``: with explanations and remarks."""
    found = compare_joints(truth, guessed, options, timeout=timeout, workers=workers, explained=explained)
    truth, guess = found.ground_truth, found.prediction
    if plot is not None:
        _draw(plot, found)
    # A list of joints without a usable tree has a relaxed distance only.
    trees = tree_distances(truth, guess, options, "exact" if guessed.tree_known else "relaxed")
    fields: dict[str, Any] = {
        "prediction": guess.file,
        "ground_truth": truth.file,
        "applied": found.applied,
        "joints": found.entries,
        "unmatched": found.unmatched,
        "tree": trees,
    }
    if explained:
        remarks = _remarks(truth, guess, trees, options) or _wrong_carriers(found.entries, found.pairing, options)
        fields["remarks"] = remarks
    return Result(
        plain(result("compare", settings, found.warnings, fields, origin=options.frame.origin, shift=truth.shift))
    )


def _draw(path: Path, found: ComparedJoints) -> None:
    """Both motions of every pair."""
    from simcheck.comparison.pictures import pair_image
    from simcheck.pictures import TILE, write_tiles

    images = {}
    for k, pair in enumerate(found.pairing.pairs):
        image = pair_image(found, k, TILE)
        if image is not None:
            images[f"{pair.ground_truth.name} → {pair.prediction.name}"] = image
    write_tiles(path, images)


def _wrong_carriers(joints: list[dict[str, Any]], pairing: Pairing, options: CompareOptions) -> list[str]:
    """Joints that are carried along by another joint than in the truth, whatever the tree distance is.

    The tree distance is that of trees without a root, so two joints in a row equal two joints side by side.
    """
    if options.base == "free":
        return []
    partner = {pair.ground_truth.name: pair.prediction.name for pair in pairing.pairs}
    found = []
    for joint in joints:
        if joint["carried_by"] is not None:
            true, guessed = joint["carried_by"]
            if (None if true is None else partner.get(true, true)) != guessed:
                words = [f"joint {name!r}" if name is not None else "the base" for name in (true, guessed)]
                found.append(
                    f"joint {joint['prediction']!r} is carried by {words[1]}, its true one "
                    f"{joint['ground_truth']!r} by {words[0]}"
                )
    return found


def _remarks(
    truth: ArticulatedObject, guess: ArticulatedObject, trees: dict[str, Any], options: CompareOptions
) -> list[str]:
    """What concerns the objects as wholes: a prediction that was exported from another base link."""
    from simcheck.comparison.rebasing import other_base

    value = trees["E_alpha_phi"]["value"]
    if value is None or value < 1e-9 or options.base == "free":
        return []
    link = other_base(truth, guess, options.alpha, options.kappa, value)
    if link is None:
        return []
    return [
        f"the prediction is the same object exported from the base link {link!r}: "
        f"--align base:{link} --base free makes the tree distance 0"
    ]


def exceeded(comparison: dict[str, Any], limits: dict[str, float]) -> Sequence[str]:
    """Which joints are over a limit: ``{"E_B": 0.01}`` and so on; an undefined value counts as over."""
    named = [(f"{joint['ground_truth']} -> {joint['prediction']}", joint) for joint in comparison["joints"]]
    for side, alone in comparison["unmatched"].items():
        named += [(f"{side} {joint['name']} unmatched", joint) for joint in alone]
    found = []
    for name, most in limits.items():
        for words, joint in named:
            value = joint.get(name)
            if value is None or value > most:
                shown = "undefined" if value is None else f"{value:.6g}"
                found.append(f"{words}: {name} {shown} is over {most:g}")
    return found
