"""The whole suite: objects in chunks on worker processes, a manifest, a figure, a summary."""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from simcheck.batch import Part, Progress, run_parts
from simcheck.engine import open_engine
from simcheck.errors import SimcheckError, UsageError
from simcheck.results import plain, result
from simcheck.run_folder import RunFolder, parquet_bytes, write_atomically
from simcheck.suite.catalogue import Category, categories, roster
from simcheck.suite.checking import CheckFailed, check
from simcheck.suite.production import Produced, Rejected, meta_of, produce
from simcheck.suite.separation import Shapes
from simcheck.suite.sweep import CLEARANCE
from simcheck.suite.writing import KINDS, object_files, rests_outside_limits, write_files
from simcheck.version import VERSION
from simcheck.workers import Outcome

if TYPE_CHECKING:
    import polars

CHUNK = 50  # objects a task: a killed run loses no more than these
TIMEOUT = 900.0  # seconds for one chunk
MAX_REJECTED = 0.05  # of the attempts of a category; beyond it the category is faulty
_FEW = 2  # rejected attempts that a small sample of a category may have anyhow
SCREW_FOLDER = "screw_spelling"  # objects whose screws are spelt type="screw": PyBullet refuses such a file


@dataclass(frozen=True)
class Suite:
    """A generated suite: its summary as plain JSON values, its manifest, its folder."""

    summary: dict[str, Any]
    manifest: polars.DataFrame
    path: Path

    @property
    def passed(self) -> bool:
        """Every object made and verified, and no category with too many rejected attempts."""
        return not self.summary["failures"] and not self.summary["faulty_categories"]


def generate_suite(
    out: str | Path,
    *,
    objects: int = 20_000,
    seed: int = 0,
    workers: int = 1,
    force: bool = False,
    progress: Progress | None = None,
) -> Suite:
    """Generate a standard suite of articulated objects with verified kinematics.

    Parameters
    ----------
    out
        Folder for the objects, ``manifest.parquet``, ``summary.json`` and the overview figure; resumed if it holds a
        part of the same suite.
    objects
        How many; each category gets its share.
    seed
        Of everything that is drawn. An object depends on the seed, its category and its number in it alone, so it is
        the same in a suite of any size that has it.
    workers
        Processes; the bytes do not depend on their number.
    force
        Replace what another suite left in the folder.
    progress
        Called after each chunk with (done, total, its name).

    Returns
    -------
    Suite

    Raises
    ------
    UsageError    options that make no sense, or a folder with something else
    """
    if objects < 1:
        raise UsageError(f"--objects: expected at least 1, got {objects}")
    if workers < 1:
        raise UsageError(f"--workers: expected at least 1, got {workers}")
    settings = {
        "command": "suite generate",
        "objects": objects,
        "seed": seed,
        "version": VERSION,
        "numpy": np.__version__,
        "clearance": CLEARANCE,
    }
    path = Path(out)
    folder = RunFolder(path, settings, force=force, also=(*_top_folders(), "manifest.parquet", "rejected.jsonl"))
    if folder.summary is not None:
        import polars

        return Suite(folder.summary, polars.read_parquet(path / "manifest.parquet"), path)
    entries = [(category.number, number) for category, number in roster(objects, seed)]
    chunks = [entries[start : start + CHUNK] for start in range(0, objects, CHUNK)]
    parts = list(
        run_parts(
            make_chunk,
            [(chunk, seed, str(path)) for chunk in chunks],
            _part,
            folder=folder,
            workers=workers,
            timeout=TIMEOUT,
            progress=progress,
            names=[f"objects {k * CHUNK + 1} to {k * CHUNK + len(chunk)}" for k, chunk in enumerate(chunks)],
        )
    )
    facts = [f for f, _ in parts]
    manifest = _manifest([rows for _, rows in parts if rows is not None])
    write_atomically(path / "manifest.parquet", parquet_bytes(manifest))
    rejected = [entry for f in facts for entry in f["rejected"]]
    write_atomically(path / "rejected.jsonl", "".join(json.dumps(entry) + "\n" for entry in rejected))
    summary = result("suite generate", settings, [], _summary(manifest, facts))
    if manifest.height:
        from simcheck.suite.overview import write_overview

        write_overview(path, manifest)
    folder.finish(summary)
    return Suite(plain(summary), manifest, path)


def made_suite(folder: Path, objects: int, seed: int, workers: int, progress: Progress | None = None) -> Suite:
    """A suite made on the fly, or found from an earlier time, in a folder of its own.

    Raises
    ------
    SimcheckError    an object that failed, or a faulty category
    """
    suite = generate_suite(folder, objects=objects, seed=seed, workers=workers, force=True, progress=progress)
    if not suite.passed:
        raise SimcheckError(f"{folder}: {suite.summary['failures'] or suite.summary['faulty_categories']}")
    return suite


def suite_files(folder: Path, objects: int, seed: int, workers: int) -> list[Path]:
    """The URDFs of `made_suite`."""
    suite = made_suite(folder, objects, seed, workers)
    return [folder / place / "mobility.urdf" for place in suite.manifest["path"]]


def _top_folders() -> tuple[str, ...]:
    return (*dict.fromkeys(c.super_category for c in categories()), SCREW_FOLDER)


# --- one chunk, in a worker ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Chunk:
    """What a chunk of objects came to: rows of the manifest, rejected attempts, failures."""

    rows: list[dict[str, Any]]
    rejected: list[Rejected]
    failures: list[dict[str, str]]


def make_chunk(entries: Sequence[tuple[int, int]], seed: int, out: str) -> Chunk:
    """Make, write and check the objects (category number, number in it) of a chunk."""
    by_number = {c.number: c for c in categories()}
    rows, rejected, failures = [], [], []
    with open_engine() as engine:
        for category_number, number in entries:
            category = by_number[category_number]
            produced, attempts = produce(category, number, seed)
            rejected += attempts
            name = category.object_name(number)
            if produced is None:
                failures.append({"id": name, "reason": f"{len(attempts)} attempts collide: {attempts[-1].reason}"})
                continue
            row, urdf, box = write_object(produced, seed, Path(out))
            try:
                checked = check(urdf, produced.assembly, box, engine)
            except CheckFailed as problem:
                failures.append({"id": name, "reason": str(problem)})
                continue
            row.update(
                read_back=True,
                driven=True,
                pressed=checked.joints,
                unlimited=checked.unlimited,
                screw_error=checked.screw_error,
                placement_error=checked.placement_error,
                limit_error=checked.limit_error,
            )
            rows.append(row)
    return Chunk(rows, rejected, failures)


def object_folder(category: Category, name: str, *, screw_type: bool) -> str:
    """Where an object lies inside the suite."""
    place = f"{category.super_category}/{category.name}/{name}"
    return f"{SCREW_FOLDER}/{place}" if screw_type else place


def write_object(produced: Produced, seed: int, out: Path) -> tuple[dict[str, Any], Path, np.ndarray]:
    """Write the files of an object; its row of the manifest without the checks, its URDF, its box at rest (2, 3)."""
    category, assembly = produced.category, produced.assembly
    meta = meta_of(produced, seed)
    files = object_files(assembly, produced.name, meta, produced.styles, screw_type=produced.screw_type)
    place = object_folder(category, produced.name, screw_type=produced.screw_type)
    digest = write_files(out / place, files)
    box = Shapes.colliding(assembly.solids).box()
    return _row(produced, place, files, digest, box), out / place / "mobility.urdf", box


def _row(produced: Produced, place: str, files: dict[str, bytes], digest: bytes, box: np.ndarray) -> dict[str, Any]:
    a = produced.assembly
    kinds = Counter(j.kind for j in a.joints)
    children = Counter(j.parent for j in a.joints)
    spans = [j.upper - j.lower for j in a.movable if math.isfinite(j.upper - j.lower)]
    angles = [j.upper - j.lower for j in a.movable if j.kind == "revolute"]
    width, depth, height = (box[1] - box[0]).tolist()
    gap = produced.sweep.least_gap
    return {
        "id": produced.name,
        "super_category": produced.category.super_category,
        "category": produced.category.name,
        "path": place,
        "movable": len(a.movable),
        **{kind: kinds[kind] for kind in KINDS},
        "links": len(a.links),
        "depth": a.depth(),
        "max_children": max(children.values()),
        "mass": float(a.masses.sum()),
        "size_x": width,
        "size_y": depth,
        "size_z": height,
        "least_range": min(spans) if spans else None,
        "largest_angle": max(angles) if angles else None,
        "symmetric": sum(j.kind == "revolute" and j.lower == -j.upper for j in a.movable),
        "rotated_frames": sum(any(rpy) for rpy in a.rpys),
        "rest": produced.rest,
        "rest_outside_limits": rests_outside_limits(a.movable),
        "helical_spelling": ("screw" if produced.screw_type else "pair") if kinds["helical"] else None,
        "mimics": sum(j.mimic is not None for j in a.joints),
        "loop_cuts": len(produced.loop_cuts),
        "attempt": produced.attempt,
        "rest_trials": produced.rest_trials,
        "sweep_pairs": produced.sweep.pairs,
        "sweep_by_intervals": produced.sweep.by_intervals,
        "sweep_positions": produced.sweep.positions,
        "sweep_least_gap": gap if math.isfinite(gap) else None,
        "sweep_free": produced.sweep.free,
        "combinations_free": produced.combinations_free,
        "files": len(files),
        "bytes": sum(map(len, files.values())),
        "sha256": digest,
    }


# --- the whole ---------------------------------------------------------------------------------------------------


def _part(index: int, outcome: Outcome) -> Part:
    import polars

    if outcome.error is not None:
        failure = {"id": f"chunk {index}", "reason": str(outcome.error)}
        return {"rejected": [], "failures": [failure]}, None
    chunk: Chunk = outcome.value
    facts = {"rejected": [vars(r) for r in chunk.rejected], "failures": chunk.failures}
    return facts, polars.DataFrame(chunk.rows, infer_schema_length=None) if chunk.rows else None


def _manifest(tables: Sequence[polars.DataFrame]) -> polars.DataFrame:
    """One row an object, by super-category, category and number."""
    import polars

    if not tables:
        return polars.DataFrame()
    return polars.concat(tables, how="vertical_relaxed").sort("super_category", "category", "id")


def _summary(manifest: polars.DataFrame, facts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    failures = [failure for f in facts for failure in f["failures"]]
    rejected = Counter(entry["category"] for f in facts for entry in f["rejected"])
    made = Counter(manifest["category"].to_list()) if manifest.height else Counter[str]()
    limit = {c: max(_FEW, MAX_REJECTED * (made[c] + n)) for c, n in rejected.items()}
    fields: dict[str, Any] = {
        "objects": manifest.height,
        "categories": len(made),
        "failures": failures,
        "rejected": sum(rejected.values()),
        "rejected_by_category": dict(sorted(rejected.items())),
        "faulty_categories": sorted(c for c, n in rejected.items() if n > limit[c]),
    }
    if manifest.height == 0:
        return fields
    kinds = {k: int(manifest[k].sum()) for k in KINDS}
    supers: dict[str, dict[str, int]] = defaultdict(lambda: {"objects": 0, "movable": 0})
    for name, movable in zip(manifest["super_category"], manifest["movable"], strict=True):
        supers[name]["objects"] += 1
        supers[name]["movable"] += movable
    movable = manifest["movable"]
    return {
        **fields,
        "movable_joints": int(movable.sum()),
        "joints_by_kind": kinds,
        "movable_least": int(movable.min()),  # type: ignore[arg-type]
        "movable_median": float(movable.median()),  # type: ignore[arg-type]
        "movable_most": int(movable.max()),  # type: ignore[arg-type]
        "objects_with_100_movable": int((movable >= 100).sum()),
        "objects_with_122_movable": int((movable >= 122).sum()),
        "nested_objects": int((manifest["depth"] >= 2).sum()),
        "deep_objects": int((manifest["depth"] >= 10).sum()),
        "helical_objects": int((manifest["helical"] > 0).sum()),
        "combinations_free": int(manifest["combinations_free"].sum()),
        "rest_poses_drawn_again": int(manifest["rest_trials"].sum()),
        "rest": dict(sorted(Counter(manifest["rest"].to_list()).items())),
        "by_super_category": dict(sorted(supers.items())),
        "max_screw_error": float(manifest["screw_error"].max()),  # type: ignore[arg-type]
        "max_placement_error": float(manifest["placement_error"].max()),  # type: ignore[arg-type]
        "max_limit_error": float(manifest["limit_error"].max()),  # type: ignore[arg-type]
        "bytes": int(manifest["bytes"].sum()),
        "files": int(manifest["files"].sum()),
        "sha256": hashlib.sha256(b"".join(manifest["sha256"].to_list())).hexdigest(),
    }
