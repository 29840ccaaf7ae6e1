"""What the data of the tree experiment says of the claims about Fig. 5."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from experiments.experiment import Finding, Tables
from experiments.tree import CONSTANT, SWEEPS
from experiments.words import percent, share

if TYPE_CHECKING:
    import polars

_SAME = 1e-9


def conclude(tables: Tables) -> list[Finding]:
    """All findings."""
    rows, sweeps = tables["rows"], tables["sweeps"]
    return [
        _starts_from_zero(sweeps),
        _jumps(sweeps),
        _plateau(sweeps),
        _forced(tables["triangles"]),
        _bands(rows),
        _knob(rows),
        _relaxation(rows, sweeps),
        _duplicates(rows),
        _certified(rows, sweeps),
    ]


def _table(sweeps: polars.DataFrame, name: str, column: str) -> NDArray[np.float64]:
    """Values (trees, x) of one sweep, in the order of x in `SWEEPS`."""
    chosen = sweeps.filter(sweeps["sweep"] == name)
    return np.asarray(chosen[column].to_numpy().reshape(-1, len(SWEEPS[name])))


def _scale(rows: polars.DataFrame) -> NDArray[np.float64]:
    """What rounding is relative to."""
    return _SAME * (rows["removal"] + rows["E_tree"]).to_numpy()


def _starts_from_zero(sweeps: polars.DataFrame) -> Finding:
    first = {
        name: _table(sweeps, name, "E_tree")[:, -1 if name == "missing" else 0]
        for name in ("spurious", "missing", "split")
    }
    floor = {name: _SAME * (1 + _table(sweeps, name, "removal")[:, 0]) for name in first}
    zero = share(np.concatenate([first[name] <= floor[name] for name in first]))
    grows = []
    for name, sign in (("spurious", 1), ("missing", -1), ("split", 1)):
        values = _table(sweeps, name, "E_tree")
        grows.append((sign * np.diff(values, axis=1) >= -_SAME * (1 + values[:, 1:])).all(axis=1))
    spurious = _table(sweeps, "spurious", "E_tree")
    alike = share((np.abs(spurious - SWEEPS["spurious"]) < 1e-6 * (1 + SWEEPS["spurious"])).ravel())
    return Finding(
        "E_tree starts from zero and grows with the motion involved.",
        "§5.2, Figure 5 top",
        f"A joint that does not move yet costs 0 in {percent(zero)} of the sweeps over {len(spurious)} trees; the "
        f"distance never falls as the motion grows in {percent(share(np.concatenate(grows)))}. A spurious joint costs "
        f"exactly its motion in {percent(alike)} of the cases.",
        None if not len(spurious) else zero == 1 and bool(np.concatenate(grows).all()),
        "Elsewhere a cheaper edit exists: the spurious joint stands for a true one that is like it.",
        {"zero": zero, "grows": share(np.concatenate(grows)), "exactly_its_motion": alike},
    )


def _jumps(sweeps: polars.DataFrame) -> Finding:
    steps = {}
    for name in CONSTANT:
        least = []
        for sweep in ("spurious", "missing", "split"):
            values = _table(sweeps, sweep, name)
            least.append(values[:, -2] - values[:, -1] if sweep == "missing" else values[:, 1] - values[:, 0])
        steps[name] = np.concatenate(least) / CONSTANT[name]
    full = share(np.concatenate(list(steps.values())) > 0.8)
    return Finding(
        "The constant penalty is discontinuous at every structural boundary: a full λ the moment a joint appears.",
        "§5.2, Figure 5 top",
        f"At the first step of a sweep D_λ rises by more than 0.8 λ in {percent(full)} of "
        f"{sum(map(len, steps.values())):,} sweeps (trees × edits × λ); median rise "
        f"{np.median(np.concatenate(list(steps.values()))):.2f} λ."
        if len(sweeps)
        else "no trees",
        None if not len(sweeps) else full > 0.95,
        "Where it rises by less, a large λ makes it cheaper to match the joint with another one and pay the "
        "difference.",
        {"share_full_jump": full},
    )


def _plateau(sweeps: polars.DataFrame) -> Finding:
    k, own = SWEEPS["range"], _table(sweeps, "range", "own_motion")
    exact = _table(sweeps, "range", "E_tree")
    held = exact[:, -1] >= 0.99 * np.abs(k[-1] - 1) * own[:, -1]
    beyond, capped = 0, 0
    for name, penalty in CONSTANT.items():
        values = _table(sweeps, "range", name)
        past = np.abs(k - 1) * own > 2 * penalty
        beyond += int(past.sum())
        capped += int((np.abs(values - 2 * penalty) < 1e-9)[past].sum())
    part = capped / beyond if beyond else math.nan
    return Finding(
        "Once a joint’s own error exceeds 2λ the score plateaus while E_tree keeps growing.",
        "§5.2, Figure 5 bottom left",
        f"D_λ is exactly 2λ in {percent(part)} of the {beyond:,} cases beyond it. With the range of one joint at "
        f"{k[-1]:g} times the true one, E_tree is {k[-1] - 1:g} times its motion in {percent(share(held))} of the "
        "trees.",
        None if not beyond else part > 0.95,
        "E_tree has a cap too: removing the joint and adding the wrong one, (1 + k) times the motion, above (k − 1).",
        {"capped": part, "beyond": beyond, "exact_grows": share(held)},
    )


def _forced(triangles: polars.DataFrame) -> Finding:
    row = triangles.to_dicts()[0]
    return Finding(
        "Forcing the match escapes the cap only by breaking the triangle inequality.",
        "§5.2",
        f"A drawer of 0.1 m, none, one of 5.1 m: forced D_1 is {row['forced_direct']:g} directly and "
        f"{row['forced_by_way']:g} by way of the middle; E_tree {row['exact_direct']:g} and {row['exact_by_way']:g}.",
        row["forced_direct"] > row["forced_by_way"] and row["exact_direct"] <= row["exact_by_way"] * (1 + 1e-12),
        "One example is enough.",
        row,
    )


def _bands(rows: polars.DataFrame) -> Finding:
    def tied(column: str) -> float:
        values = np.round(rows[column].to_numpy(), 9)
        values = values[values > 1e-9]
        _, count = np.unique(values, return_counts=True)
        return float(count[count > 1].sum() / count.sum()) if count.size else math.nan

    constant, exact = tied("D_1"), tied("E_tree")
    d = rows["D_1"].to_numpy()
    whole = share((np.abs(d - np.round(d)) < 1e-9)[d > 1e-9])
    return Finding(
        "A constant penalty piles distinct predictions onto identical scores, in bands at multiples of λ.",
        "§5.2, Figure 5 bottom middle",
        f"{percent(constant)} of {rows.height:,} corrupted predictions share their D_1 with another one "
        f"({percent(whole)} lie exactly on a multiple of λ); {percent(exact)} share their E_tree.",
        None if not rows.height else constant > 2 * exact,
        "Ties of E_tree come from objects with equal joints, where different edits are the same motion, and of links "
        "that were hung elsewhere.",
        {"tied_D_1": constant, "multiples": whole, "tied_E_tree": exact},
    )


def schemes(rows: polars.DataFrame) -> dict[str, str]:
    """Columns that rank predictions, with their titles."""
    found = {
        "E_tree": "E_tree",
        **{name: f"D {penalty:g}" for name, penalty in CONSTANT.items()},
        "forced_1": "forced D 1",
    }
    return found | ({"own": "own norm"} if rows["own"].is_not_null().any() else {})


def kendall_table(rows: polars.DataFrame) -> NDArray[np.float64]:
    """Rank agreement between the schemes over all corruptions."""
    from scipy.stats import kendalltau

    columns = [rows[name].to_numpy() for name in schemes(rows)]
    return np.array([[kendalltau(a, b).statistic if rows.height > 1 else math.nan for b in columns] for a in columns])


def among_constants(tau: NDArray[np.float64]) -> NDArray[np.float64]:
    """The entries of `kendall_table` between different penalties."""
    constant = slice(1, len(CONSTANT) + 1)
    return tau[constant, constant][np.triu_indices(len(CONSTANT), 1)]


def _knob(rows: polars.DataFrame) -> Finding:
    tau = kendall_table(rows)
    among = among_constants(tau)
    told = ", ".join(f"{name.replace('_', ' ')} {value:.2f}" for name, value in zip(CONSTANT, tau[0, 1:], strict=False))
    return Finding(
        "The ranking that a constant penalty induces changes with the knob itself.",
        "§5.2, Figure 5 bottom right",
        f"Kendall τ between D_λ of different λ: {among.min():.2f} to {among.max():.2f}. With E_tree: {told}.",
        None if not rows.height else bool(among.min() < 0.9),
        "E_tree has no λ; it has α, the price of a metre in radians, as every D_λ here has besides.",
        {"least": float(among.min()), "most": float(among.max())},
    )


def _equal(rows: polars.DataFrame) -> NDArray[np.bool_]:
    return np.asarray((rows["E_tree"] - rows["relaxed"]).to_numpy() <= _scale(rows))


def _relaxation(rows: polars.DataFrame, sweeps: polars.DataFrame) -> Finding:
    swept, random = share(_equal(sweeps)), share(_equal(rows))
    in_place = share(_equal(rows.filter(~rows["moved"])))
    return Finding(
        "The assignment relaxation returns the same value on every sweep and on nearly all random corruptions.",
        "§5.2, Appendix B.5",
        f"Equal in {percent(swept, 2)} of {sweeps.height:,} points of the sweeps and {percent(random, 2)} of "
        f"{rows.height:,} corruptions ({percent(in_place, 2)} of those in which no part hangs elsewhere); where they "
        f"differ, by {percent(_gap(rows))} of E_tree in the median.",
        None if not rows.height else swept == 1 and random > 0.95,
        "The relaxation does not see where a part hangs: a part hung elsewhere costs nothing in it, and a spurious "
        "joint stands for a missing one at the other end of the object. So it depends on the edits: one in six of ours "
        "hangs a part elsewhere, and up to four come together.",
        {"sweeps": swept, "corruptions": random, "corruptions_in_place": in_place},
    )


def _gap(rows: polars.DataFrame) -> float:
    differing = rows.filter(~_equal(rows))
    return (
        float(np.median(1 - (differing["relaxed"] / differing["E_tree"]).to_numpy())) if differing.height else math.nan
    )


def _duplicates(rows: polars.DataFrame) -> Finding:
    parts = {d: rows.filter(rows["duplicates"] == d) for d in (False, True)}
    equal = {d: share(_equal(part)) for d, part in parts.items()}
    joints = {d: float(np.median(part["joints"])) if part.height else 0.0 for d, part in parts.items()}
    return Finding(
        "The relaxation is as good on objects with equal joints (rows of drawers, keys) as on others.",
        "ours",
        f"Equal to the exact value in {percent(equal[True])} of {parts[True].height:,} corruptions of trees with "
        f"duplicate joints, {percent(equal[False])} of {parts[False].height:,} without.",
        None if min(part.height for part in parts.values()) < 50 else equal[True] >= equal[False] - 0.02,
        f"Ties leave the value as it is. These trees are larger (median of {joints[True]:g} joints against "
        f"{joints[False]:g}), with more places where a part can hang wrong.",
        {"duplicates": equal[True], "distinct": equal[False]},
    )


def _certified(rows: polars.DataFrame, sweeps: polars.DataFrame) -> Finding:
    both = np.concatenate([part["certified"].to_numpy() for part in (rows, sweeps)])
    return Finding(
        "The tree edit distance is computed exactly, certified.",
        "§4.3, Appendix B.5",
        f"Certified optimal in {percent(share(both), 2)} of {both.size:,} distances, trees of up to "
        f"{max(rows['joints'].to_list(), default=0)} joints, no time limit.",
        None if not both.size else bool(both.all()),
        "The paper certifies where the relaxation is realizable; the exact search certifies the others too.",
        {"certified": share(both)},
    )


def shares(tables: Tables) -> list[list[Any]]:
    """Certified and equal to the relaxation, by sweep and by first edit, with and without duplicate joints."""
    rows, sweeps = tables["rows"], tables["sweeps"]
    groups = [(f"sweep: {name}", sweeps.filter(sweeps["sweep"] == name)) for name in SWEEPS]
    groups += [
        (f"first edit: {e}", rows.filter(rows["first_edit"] == e)) for e in sorted(map(str, set(rows["first_edit"])))
    ]
    groups += [
        ("corruptions, duplicate joints", rows.filter(rows["duplicates"])),
        ("corruptions, all joints different", rows.filter(~rows["duplicates"])),
        ("corruptions, every part in its place", rows.filter(~rows["moved"])),
        ("corruptions", rows),
    ]
    lines: list[list[Any]] = []
    for name, group in groups:
        if group.height:
            largest = np.max(np.where(_equal(group), 0.0, 1 - (group["relaxed"] / group["E_tree"]).to_numpy()))
            certified = share(group["certified"].to_numpy())
            lines.append(
                [name, group.height, percent(certified), percent(share(_equal(group))), percent(float(largest))]
            )
    return lines
