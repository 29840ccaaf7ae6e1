"""What the page of a comparison shows, from its result alone (and the two files, for the pictures)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from simcheck.comparison.pictures import NOTHING, WORST, Case, compared_with, worst_section
from simcheck.report.columns import columns_of, format_number
from simcheck.report.page import Section, Statement, SummarySection, TableSection, TextSection

if TYPE_CHECKING:
    import polars

_NUMBERS = ("E_B", "d", "E_alpha", "E_alpha_phi")
_HIDDEN = ("null_reasons", "explanation.shares", "explanation.repaired", "swapped", "d_closed", "d_ends")
_UNITS = {"E_B": "m", "E_B_physical": "m", "d": "m", "d_sweep": "m", "bound.0": "m", "bound.1": "m",
          "components.axis": "rad", "components.origin": "m", "components.origin_line": "m",
          "rest_pose.translation": "m", "rest_pose.rotation": "rad"}  # fmt: skip
_SIDES = {"ground_truth": "missing in the prediction", "prediction": "not in the truth"}


def headline_sections(result: Mapping[str, Any]) -> list[Section]:
    """Headline numbers, every pair with its sentence, what stands alone, and the trees."""
    joints, alone = result["joints"], result["unmatched"]
    pairs = [
        [_names(joint), _kinds(joint),
         *(joint[name] for name in _NUMBERS), joint["explanation"]["sentence"]]
        for joint in joints
    ]  # fmt: skip
    others = [
        [joint["name"], joint["kind"], *(joint[name] for name in _NUMBERS), words]
        for side, words in _SIDES.items()
        for joint in alone[side]
    ]
    columns = ["joint", "kind", "E_B (m)", "d (m)", "E_α", "E_α^φ", "why"]
    sections: list[Section] = [TextSection("", _statements(joints, alone), result["remarks"])]
    if pairs or others:
        note = "Joints without a partner: distance to a joint that stays fixed." if others else ""
        sections.append(SummarySection("Joints", columns, [*pairs, *others], note))
    return [*sections, _trees(result["tree"])]


def comparison_sections(result: Mapping[str, Any], rows: polars.DataFrame) -> list[Section]:
    """The headlines, pictures of the worst pairs, and every number of every pair."""
    import polars

    sections = headline_sections(result)
    sections += worst_section("The worst pairs", _cases(result), result["settings"]["inputs"])
    if rows.height:
        shown = rows.select([name for name in rows.columns if not name.startswith(_HIDDEN)])
        shown = shown.with_columns(polars.Series("kind", [_kinds(joint) for joint in result["joints"]]))
        text = "One row a pair. Metres and radians; world frame at rest."
        sections.append(TableSection("All numbers", columns_of(shown, _UNITS), "-E_B", text))
    return sections


def _names(joint: Mapping[str, Any]) -> str:
    return " → ".join(dict.fromkeys((joint["ground_truth"], joint["prediction"])))


def _kinds(joint: Mapping[str, Any]) -> str:
    return " → ".join(dict.fromkeys(joint["kind"]))


def _statements(joints: list[dict[str, Any]], alone: Mapping[str, Any]) -> list[Statement]:
    def largest(name: str) -> str:
        known = [joint[name] for joint in joints if joint[name] is not None]
        return f"{format_number(max(known))} m" if known else "–"

    return [
        Statement(str(len(joints)), "pairs of joints"),
        Statement(str(len(alone["ground_truth"])), "missing in the prediction"),
        Statement(str(len(alone["prediction"])), "not in the truth"),
        Statement(largest("E_B"), "largest E_B"),
        Statement(largest("d"), "largest d"),
    ]


def _trees(trees: Mapping[str, Any]) -> SummarySection:
    rows = [
        [name.replace("alpha", "α").replace("_phi", "^φ"), tree["value"], tree["lower"], tree["upper"],
         tree["reason"] or f"{tree['method']}{', certified' if tree['certified'] else ''}"]
        for name, tree in trees.items()
    ]  # fmt: skip
    note = "E_B in metres. Lower and upper bound hold where the value is not certified."
    return SummarySection("Distances between the trees", ["norm", "value", "lower", "upper", ""], rows, note)


def _cases(result: Mapping[str, Any]) -> list[Case]:
    options, read = compared_with(result["settings"])
    known = [joint for joint in result["joints"] if (joint["E_B"] or 0.0) > NOTHING]
    worst = sorted(known, key=lambda joint: -joint["E_B"])[:WORST]
    return [
        Case(
            result["ground_truth"],
            result["prediction"],
            joint["ground_truth"],
            options,
            read,
            _names(joint),
            f"E_B {format_number(joint['E_B'])} m, d {format_number(joint['d'])} m: {joint['explanation']['sentence']}",
        )
        for joint in worst
    ]
