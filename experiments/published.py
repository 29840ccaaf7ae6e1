"""Table 4 of the paper, as a reference: its outputs are not public, so nothing here is measured again."""

from __future__ import annotations

COLUMNS = (
    "Gen (%)", "TypeErr (%)", "OriginErr (m)", "AxisErr (rad)", "LimitErr range", "LimitErr direction", "SuccRate (%)",
    "E_B (m)", "E_α^φ", "E_α^φ,tree",
)  # fmt: skip
TABLE_4: dict[str, tuple[float | None, ...]] = {
    "Articraft": (99.5, 12.1, 0.466, 0.870, 1.90, 1.00, 17.1, 1.172, 0.597, 0.476),
    "Articulate AnyMesh†": (48.0, 16.7, 0.264, 0.881, None, None, 9.4, 1.032, 0.581, 0.528),
    "Articulate-Anything": (98.5, 18.3, 0.604, 0.629, 2.19, 0.91, 15.7, 1.702, 0.550, 0.392),
    "ArtLLM": (93.0, 30.6, 0.398, 0.918, 7.13, 1.03, 3.8, 2.868, 1.216, 0.585),
    "Ditto": (100.0, 31.5, 0.645, 0.819, 1.75, 1.05, 5.5, 1.365, 0.608, 0.552),
    "Particulate": (91.0, 7.1, 0.414, 0.172, 0.98, 0.34, 15.4, 1.066, 0.465, 0.419),
    "SPARK": (99.5, 18.1, 0.530, 0.800, 2.36, 1.00, 9.5, 1.543, 0.687, 0.520),
    "URDFormer": (77.0, 37.7, 0.735, 1.019, 2.07, 0.98, 0.0, 1.964, 0.726, 0.566),
}
"""† limits imputed from the ground truth."""


def column(name: str, *, imputed: bool = True) -> dict[str, float]:
    """One column by method; without those whose limits were imputed unless asked for."""
    place = COLUMNS.index(name)
    return {
        method: value
        for method, values in TABLE_4.items()
        if (value := values[place]) is not None and (imputed or not method.endswith("†"))
    }
