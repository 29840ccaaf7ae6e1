"""The folder of a long run: parts written as they finish, atomically; a killed run goes on where it was."""

from __future__ import annotations

import io
import json
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcheck.errors import UsageError
from simcheck.results import plain, to_json

if TYPE_CHECKING:
    import polars

_OURS = (
    "rows.parquet", "rows.csv", "objects.parquet", "objects.csv", "summary.json", "settings.json", "report.html",
    "table.txt", "table.csv", "table.tex", "table.md", "figures", "tables", "findings.json", ".parts",
)  # fmt: skip


def write_atomically(path: Path, data: bytes | str) -> None:
    """Write a file so that a reader sees all of it or nothing, whenever the process is killed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    scratch = path.with_name(f".{path.name}.{os.getpid()}.part")
    scratch.write_bytes(data.encode() if isinstance(data, str) else data)
    os.replace(scratch, path)


class RunFolder:
    """A results folder with fixed settings.

    Parameters
    ----------
    path
        The folder. A new or empty one is started; one with the same settings is resumed; any other is refused,
        unless ``force`` is given: then our own files in it are removed first.
    settings
        Everything that changes a number.
    also
        Names of further files and folders of the run: they may be there before it starts, and ``force`` removes them
        only where the folder holds results of the same command.
    """

    def __init__(
        self, path: Path, settings: Mapping[str, Any], *, force: bool = False, also: Sequence[str] = ()
    ) -> None:
        self.path = path
        self._parts = path / ".parts"
        wanted = json.loads(to_json(settings))
        if path.exists() and not path.is_dir():
            raise UsageError(f"{path} is a file, not a folder")
        found = self._saved_settings()
        if found != wanted and path.is_dir() and any(p.name not in also for p in path.iterdir()):
            if not force:
                raise UsageError(self._refusal(found, wanted))
            same = isinstance(found, dict) and "command" in found and found["command"] == wanted.get("command")
            self._clear((*_OURS, *also) if same else _OURS)
        path.mkdir(parents=True, exist_ok=True)
        if found != wanted:
            write_atomically(path / "settings.json", to_json(settings) + "\n")
        self._parts.mkdir(exist_ok=True)

    def _saved_settings(self) -> Any:
        try:
            return json.loads((self.path / "settings.json").read_text())
        except (OSError, ValueError):
            return None

    def _refusal(self, found: Any, wanted: Mapping[str, Any]) -> str:
        if not isinstance(found, dict):
            return f"{self.path} is not empty and not a results folder: choose another --out, or --force"
        differing = sorted(k for k in {*found, *wanted} if found.get(k) != wanted.get(k))
        return (
            f"{self.path} holds results of other settings ({', '.join(differing)}): "
            "choose another --out, or --force to replace them"
        )

    def _clear(self, names: Sequence[str]) -> None:
        for name in names:
            target = self.path / name
            if target.is_dir():
                shutil.rmtree(target)
            else:
                target.unlink(missing_ok=True)

    @property
    def summary(self) -> dict[str, Any] | None:
        """The summary of a finished run, None while there is none."""
        try:
            return json.loads((self.path / "summary.json").read_text())
        except (OSError, ValueError):
            return None

    def has_part(self, index: int) -> bool:
        """Whether a part is finished and readable."""
        try:
            json.loads(self._paths(index)[0].read_text())
        except (OSError, ValueError):
            return False
        return True

    def part(self, index: int) -> tuple[dict[str, Any], polars.DataFrame | None]:
        """A finished part: its facts and its rows (None without any)."""
        import polars

        facts, rows = self._paths(index)
        return json.loads(facts.read_text()), polars.read_parquet(rows) if rows.exists() else None

    def write_part(self, index: int, facts: Mapping[str, Any], rows: polars.DataFrame | None) -> None:
        """Save a finished part; its facts come last and make it count."""
        facts_path, rows_path = self._paths(index)
        if rows is not None:
            write_atomically(rows_path, parquet_bytes(rows))
        write_atomically(facts_path, to_json(facts))

    def _paths(self, index: int) -> tuple[Path, Path]:
        return self._parts / f"{index:06d}.json", self._parts / f"{index:06d}.parquet"

    def write_rows(self, rows: polars.DataFrame) -> None:
        """All rows, as Parquet and CSV."""
        write_atomically(self.path / "rows.parquet", parquet_bytes(rows))
        write_atomically(self.path / "rows.csv", rows.write_csv())

    def finish(self, summary: Mapping[str, Any]) -> None:
        """Write the summary, which makes the run complete, and drop the parts."""
        write_atomically(self.path / "summary.json", to_json(plain(summary)) + "\n")
        self.drop_parts()

    def drop_parts(self) -> None:
        """Remove what was kept for going on: everything is in the rows."""
        shutil.rmtree(self._parts, ignore_errors=True)


def parquet_bytes(rows: polars.DataFrame) -> bytes:
    """A table as Parquet: the same table, the same bytes."""
    stream = io.BytesIO()
    rows.write_parquet(stream, compression="zstd", statistics=False)
    return stream.getvalue()
