"""A prediction of any format written as a URDF that every loader reads."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from simcheck.asset.mesh_files import MeshProblem, find_mesh
from simcheck.asset.model import ReadOptions
from simcheck.asset.write import urdf_text
from simcheck.errors import AssetWarning, UsageError
from simcheck.formats.prediction import Prediction, load_prediction
from simcheck.results import input_hashes, plain, read_settings, result
from simcheck.run_folder import write_atomically


def convert(
    path: str | Path,
    out: str | Path,
    *,
    format: str | None = None,
    force: bool = False,
    options: ReadOptions | None = None,
) -> dict[str, Any]:
    """Convert one prediction to URDF.

    Parameters
    ----------
    path
        The file.
    out
        The URDF to write.
    format
        Name of the format; by default told from the content.
    force
        Replace an ``out`` that holds something else.
    options
        How the file is read.

    Returns
    -------
    dict
        What was read and written, plain JSON values.

    Raises
    ------
    AssetError     the file has no single meaning
    UsageError     ``out`` cannot be written, or exists with another content
    """
    read_options = options or ReadOptions()
    prediction = load_prediction(path, format, read_options)
    target = Path(out)
    warnings = list(prediction.warnings)
    text = urdf_text(prediction.object, _mesh_names(prediction, target, warnings))
    _write(Path(path), target, text.encode(), force)
    settings = {"format": format, **read_settings(read_options), "inputs": input_hashes([path])}
    return plain(result("convert", settings, warnings, _fields(prediction, target)))


def _fields(prediction: Prediction, target: Path) -> dict[str, Any]:
    obj = prediction.object
    return {
        "file": obj.file,
        "out": str(target),
        "format": prediction.format,
        "tree_known": prediction.tree_known,
        "links": list(obj.links),
        "joints": [
            {"name": joint.name, "kind": joint.kind, "parent": joint.parent, "child": joint.child}
            for joint in obj.joints
        ],
    }


def _mesh_names(prediction: Prediction, target: Path, warnings: list[AssetWarning]) -> Callable[[str], str]:
    """How a mesh is named in the new file: as before where that stays right, else relative to its folder."""
    obj = prediction.object
    folder = target.resolve().parent

    def name(filename: str) -> str:
        if folder == obj.folder.resolve():
            return filename
        try:
            mesh = find_mesh(filename, obj.folder, obj.options.packages)
        except MeshProblem as problem:
            warnings.append(AssetWarning(obj.file, "mesh", f"{problem}: its name is written unchanged", problem.code))
            return filename
        relative = Path(os.path.relpath(mesh, folder)).as_posix()
        try:
            find_mesh(relative, folder, {})
        except MeshProblem:
            message = f"the mesh {mesh} is out of reach of {target}: write it nearer, or read it with --package"
            warnings.append(AssetWarning(obj.file, "mesh", message, "MESH_OUTSIDE"))
        return relative

    return name


def _write(source: Path, target: Path, data: bytes, force: bool) -> None:
    try:
        if target.exists():
            if target.is_dir():
                raise UsageError(f"{target} is a folder; name the URDF file to write")
            if target.samefile(source):
                raise UsageError(f"{target} is the file that is read; name another one")
            if not force and target.read_bytes() != data:
                raise UsageError(f"{target} exists with another content; --force replaces it")
        write_atomically(target, data)
    except OSError as error:
        raise UsageError(f"{target} cannot be written: {error.strerror or error}") from None
