"""Other libraries in the suite's form: URDF files and PartNet-Mobility folders, with a report of every change."""

from __future__ import annotations

import hashlib
import json
import math
import re
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from simcheck.asset import ArticulatedObject, ReadOptions, load
from simcheck.asset.write import urdf_text
from simcheck.batch import Part, Progress, run_parts
from simcheck.defaults import urdf_files
from simcheck.errors import AssetError, UsageError
from simcheck.formats.source import Source
from simcheck.results import input_hashes, plain, read_settings, result, to_json
from simcheck.run_folder import RunFolder, parquet_bytes, write_atomically
from simcheck.suite.normal_form import NormalForm, normal_form
from simcheck.suite.partnet import ANNOTATION, category_of, load_annotation
from simcheck.suite.reanchoring import reanchored
from simcheck.suite.writing import KINDS, joint_record, rests_outside_limits, write_files
from simcheck.version import VERSION
from simcheck.workers import Outcome

if TYPE_CHECKING:
    import polars

TIMEOUT = 300.0  # seconds for one object
_READ_BACK = 1e-9  # of the size: how far a screw may come back from what was meant


@dataclass(frozen=True)
class Library:
    """An imported library: its summary as plain JSON values, its manifest, its folder."""

    summary: dict[str, Any]
    manifest: polars.DataFrame
    path: Path


def import_library(
    source: str | Path,
    out: str | Path,
    *,
    options: ReadOptions | None = None,
    states: str = "joint_states.json",
    workers: int = 1,
    force: bool = False,
    progress: Progress | None = None,
) -> Library:
    """Bring a folder of URDFs, or of PartNet-Mobility objects, into the form of the suite.

    Each object gets a folder with ``mobility.urdf``, ``meshes/`` and ``meta.json``: plain unique names, world frame
    kept, unit axes, limits in radians and metres, inertials wherever geometry gives them, screws spelt as a pair of
    joints, meshes beside the file. Nothing in the source is changed.

    Parameters
    ----------
    source
        The folder. A folder inside it with ``mobility_v2.json`` and no URDF is read from that annotation.
    out
        Folder for the objects, ``manifest.parquet``, ``changes.jsonl`` and ``summary.json``.
    options
        How files are read.
    states
        Name of a JSON file beside an object, ``{"joint": coordinate}`` in rad and m: the stored state becomes the rest
        pose.
    workers
        Processes; the bytes do not depend on their number.
    force
        Replace what another import left in ``out``.
    progress
        Called after each object with (done, total, file).

    Raises
    ------
    UsageError    ``source`` is no folder or has nothing to import
    """
    root = Path(source)
    files = find_objects(root)
    read_options = options or ReadOptions()
    places = _places(root, files)
    settings = {
        "command": "suite import",
        **read_settings(read_options),
        "states": states,
        "version": VERSION,
        "inputs": {
            str(f.relative_to(root)): digest for f, digest in zip(files, input_hashes(files).values(), strict=True)
        },
    }
    path = Path(out)
    tops = sorted({place.split("/")[0] for place in places})
    folder = RunFolder(path, settings, force=force, also=(*tops, "manifest.parquet", "changes.jsonl"))
    if folder.summary is not None:
        import polars

        return Library(folder.summary, polars.read_parquet(path / "manifest.parquet"), path)
    names = [str(f.relative_to(root)) for f in files]
    parts = list(
        run_parts(
            import_object,
            [
                (str(f), name, place, str(path), read_options, states)
                for f, name, place in zip(files, names, places, strict=True)
            ],
            lambda k, outcome: _part(names[k], outcome),
            folder=folder,
            workers=workers,
            timeout=TIMEOUT,
            progress=progress,
            names=names,
        )
    )
    facts = [f for f, _ in parts]
    manifest = _manifest([rows for _, rows in parts if rows is not None])
    write_atomically(path / "manifest.parquet", parquet_bytes(manifest))
    changes = [{"source": f["source"], **change} for f in facts for change in f["changes"]]
    write_atomically(path / "changes.jsonl", "".join(json.dumps(c, ensure_ascii=False) + "\n" for c in changes))
    summary = result("suite import", settings, [], _summary(manifest, facts))
    folder.finish(summary)
    return Library(plain(summary), manifest, path)


def find_objects(root: Path) -> list[Path]:
    """The files that stand for objects: every URDF, and an annotation where a folder has no URDF of its own."""
    if not root.is_dir():
        raise UsageError(f"{root} is not a folder")
    found = urdf_files(root)
    with_urdf = {p.parent for p in found}
    found += sorted(p for p in root.rglob(f"*{ANNOTATION}") if p.parent not in with_urdf and p.is_file())
    if not found:
        raise UsageError(f"{root}: neither a *.urdf nor a {ANNOTATION} in this folder")
    return sorted(found)


def _places(root: Path, files: Sequence[Path]) -> list[str]:
    """Where each object goes inside the output: as in the source, one folder an object."""
    taken: set[str] = set()
    places = []
    for file in files:
        inside = file.relative_to(root)
        own = (
            inside.parent
            if file.name in ("mobility.urdf", ANNOTATION) and inside.parent != Path()
            else inside.with_suffix("")
        )
        place, number = own.as_posix(), 2
        while place in taken:
            place, number = f"{own.as_posix()}_{number}", number + 1
        taken.add(place)
        places.append(place)
    return places


# --- one object, in a worker ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Imported:
    """What became of one file."""

    row: dict[str, Any]
    changes: list[dict[str, str]]


def import_object(file: str, name: str, place: str, out: str, options: ReadOptions, states: str) -> Imported:
    """Read one object, bring it into the suite's form, write it, and read it back."""
    source = Path(file)
    read = load_annotation(source, options) if source.name.endswith(ANNOTATION) else load(source, options)
    state = _state(source.with_name(states))
    form = normal_form(reanchored(read, state) if state else read)
    for joint, q in state.items():
        form.note("state", f"joint {joint!r}", f"its stored coordinate {q:.9g} is the rest pose now")
    obj = form.object
    digest = hashlib.sha256(source.read_bytes()).hexdigest()
    meta = {
        "id": place,
        "source": name,
        "source_sha256": digest,
        "category": category_of(source.parent),
        "rest_outside_limits": rests_outside_limits(obj.movable_joints),
        "changes": [asdict(change) for change in form.changes],
        "joints": [joint_record(j, j.parent, j.child) for j in obj.joints],
    }
    files = {f"meshes/{mesh}": data for mesh, data in form.meshes.items()}
    files["mobility.urdf"] = urdf_text(obj, lambda mesh: f"meshes/{form.mesh_names[mesh]}").encode()
    files["meta.json"] = (to_json(meta) + "\n").encode()
    folder = Path(out) / place
    sha256 = write_files(folder, files)
    try:
        _require_same(obj, load(folder / "mobility.urdf"))
    except AssetError:
        shutil.rmtree(folder)
        raise
    return Imported(_row(form, place, name, digest, files, sha256), [asdict(change) for change in form.changes])


def _state(path: Path) -> dict[str, float]:
    """A stored state, empty without a file."""
    if not path.is_file():
        return {}
    try:
        state = Source(path).json.raw
    except AssetError as error:
        cause = f"not a stored state: {error.cause}"
        raise AssetError(str(path), cause, remedy=error.remedy, code=error.code) from None
    numbers = isinstance(state, Mapping) and all(
        isinstance(q, (int, float)) and not isinstance(q, bool) and math.isfinite(q) for q in state.values()
    )
    if not numbers:
        raise AssetError(
            str(path), "a stored state is an object of joint names and finite coordinates", code="JSON_BROKEN"
        )
    return {str(joint): float(q) for joint, q in state.items()}


def _require_same(meant: ArticulatedObject, found: ArticulatedObject) -> None:
    """What was written must be what was meant, joint by joint."""
    joints = {joint.name: joint for joint in found.joints}
    for joint in meant.joints:
        read = joints.get(joint.name)
        if read is None or (read.kind, read.parent, read.child) != (joint.kind, joint.parent, joint.child):
            raise AssetError(
                meant.file,
                "it does not come back the same from the written file",
                element=joint.element,
                code="COPY_DIFFERS",
            )
        error = np.abs(read.screw - joint.screw)
        ends = [(a, b) for a, b in ((read.lower, joint.lower), (read.upper, joint.upper)) if a != b]
        close = all(math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-12) for a, b in ends)
        reach = max(1.0, float(np.abs(meant.box).max()))
        if error.max() > _READ_BACK * reach or not close:
            raise AssetError(
                meant.file,
                "its motion does not come back from the written file",
                element=joint.element,
                code="COPY_DIFFERS",
            )


def _row(
    form: NormalForm, place: str, name: str, source: str, files: Mapping[str, bytes], sha256: bytes
) -> dict[str, Any]:
    obj = form.object
    kinds = Counter(joint.kind for joint in obj.joints)
    masses = [link.inertial.mass for link in obj.links.values() if link.inertial is not None]
    width, depth, height = (obj.box[1] - obj.box[0]).tolist()
    changes = Counter(change.kind for change in form.changes)
    return {
        "path": place,
        "source": name,
        "source_sha256": bytes.fromhex(source),
        "movable": len(obj.movable_joints),
        **{kind: kinds[kind] for kind in KINDS},
        "links": len(obj.links),
        "with_inertial": len(masses),
        "mass": float(sum(masses)),
        "size_x": width,
        "size_y": depth,
        "size_z": height,
        "meshes": len(form.meshes),
        **{f"changes_{kind}": changes[kind] for kind in ("read", "name", "inertial", "mesh", "shape", "state")},
        "files": len(files),
        "bytes": sum(map(len, files.values())),
        "sha256": sha256,
    }


# --- the whole -----------------------------------------------------------------------------------------------------


def _part(name: str, outcome: Outcome) -> Part:
    import polars

    if outcome.error is not None:
        error = outcome.error
        cause = error.cause if isinstance(error, AssetError) else str(error)
        return {"source": name, "refused": str(error), "cause": cause, "changes": []}, None
    imported: Imported = outcome.value
    return {"source": name, "changes": imported.changes}, polars.DataFrame([imported.row])


def _manifest(tables: Sequence[polars.DataFrame]) -> polars.DataFrame:
    import polars

    return polars.concat(tables).sort("path") if tables else polars.DataFrame()


def _summary(manifest: polars.DataFrame, facts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    refused = [{"source": f["source"], "reason": f["refused"]} for f in facts if "refused" in f]
    causes = Counter(_shape_of(f["cause"]) for f in facts if "refused" in f)
    changes = Counter(change["kind"] for f in facts for change in f["changes"])
    return {
        "objects": manifest.height,
        "refused": refused,
        "refused_by_cause": dict(causes.most_common()),
        "changes_by_kind": dict(sorted(changes.items())),
        "joints_by_kind": {k: int(manifest[k].sum()) if manifest.height else 0 for k in KINDS},
        "movable_joints": int(manifest["movable"].sum()) if manifest.height else 0,
        "bytes": int(manifest["bytes"].sum()) if manifest.height else 0,
    }


def _shape_of(cause: str) -> str:
    """A cause without the names and numbers of the single case, so that equal ones can be counted."""
    return re.sub(r"'[^']*'|\d[\d.,]*", "…", cause.splitlines()[0])
