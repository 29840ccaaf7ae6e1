"""The tables of an experiment as files: ``rows``, and further ones in ``tables/``, each as Parquet and as CSV."""

from __future__ import annotations

from pathlib import Path

from experiments.experiment import Tables
from simcheck.run_folder import parquet_bytes, write_atomically


def save_tables(folder: Path, tables: Tables) -> None:
    """Write the tables of one experiment into its folder."""
    for name, table in tables.items():
        path = folder / "rows" if name == "rows" else folder / "tables" / name
        write_atomically(path.with_suffix(".parquet"), parquet_bytes(table))
        write_atomically(path.with_suffix(".csv"), table.write_csv())


def load_tables(folder: Path) -> Tables:
    """The saved tables of one experiment."""
    import polars

    files = [folder / "rows.parquet", *sorted((folder / "tables").glob("*.parquet"))]
    return {file.stem: polars.read_parquet(file) for file in files}
