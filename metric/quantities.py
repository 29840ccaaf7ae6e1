"""Name, symbol, unit and direction of every number that the metric reports: what tables and figures need to know."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["QUANTITIES", "Quantity"]


@dataclass(frozen=True)
class Quantity:
    """A reported number.

    Parameters
    ----------
    name
        As in results and tables.
    symbol
        As in formulas (TeX, without dollars).
    unit
        ``m``, ``rad``, ``deg``, ``1`` for a pure number, ``0/1`` for an indicator.
    meaning
        One line.
    lower_is_better
        Direction of the better value.
    """

    name: str
    symbol: str
    unit: str
    meaning: str
    lower_is_better: bool = True


QUANTITIES: dict[str, Quantity] = {
    quantity.name: quantity
    for quantity in (
        Quantity("E_alpha", r"E_\alpha", "1", "endpoint distance in the split norm"),
        Quantity("E_B", r"E_B", "m", "endpoint distance in the kinetic norm of the true body"),
        Quantity("E_B_physical", r"E_B", "m", "endpoint distance in the kinetic norm of the nearest physical body"),
        Quantity("E_alpha_phi", r"E_\alpha^\phi", "1", "compactified endpoint distance, split norm"),
        Quantity("E_B_phi", r"E_B^\phi", "1", "compactified endpoint distance, kinetic norm"),
        Quantity("d", r"d", "m", "finite displacement between the two ends, RMS over the body"),
        Quantity("d_sweep", r"d_\mathrm{sweep}", "m", "finite displacement along the whole sweep, RMS over the body"),
        Quantity("E_alpha_tree", r"E_\alpha^\mathrm{tree}", "1", "tree edit distance, split norm"),
        Quantity("E_alpha_phi_tree", r"E_\alpha^{\phi,\mathrm{tree}}", "1", "tree edit distance, compactified"),
        Quantity("E_B_tree", r"E_B^\mathrm{tree}", "m", "tree edit distance, kinetic norms"),
        Quantity("E_B_phi_tree", r"E_B^{\phi,\mathrm{tree}}", "1", "tree edit distance, kinetic norms, compactified"),
    )
}
