"""Mesh files of a URDF: found inside the allowed folders, loaded by trimesh, never from anywhere else."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import numpy as np

MAX_BYTES = 512 * 2**20
PARENTS = 3  # package folders are found in the file's folder or in one of so many folders above it


class MeshProblem(Exception):
    """Why a mesh cannot be used; the caller knows link and file. ``code`` names the fault, as in `AssetError`."""

    def __init__(self, message: str, code: str = "MESH_UNREADABLE") -> None:
        super().__init__(message)
        self.code = code


def find_mesh(filename: str, folder: Path, packages: Mapping[str, str]) -> Path:
    """The mesh file behind a URDF ``filename``.

    ``package://NAME/…`` is looked for in the folder given for NAME, then, with and without NAME, in the URDF's own
    folder and in the folders above it; a relative path in the same folders. `MeshProblem` if there is none, or if
    it lies outside those folders.
    """
    parts = urlsplit(filename.replace("\\", "/"))
    if len(parts.scheme) > 1 and parts.scheme not in ("package", "file", "model"):
        raise MeshProblem(f"mesh {filename}: network addresses are not read", "MESH_OUTSIDE")
    if parts.scheme == "file" and parts.netloc not in ("", "localhost"):
        raise MeshProblem(f"mesh {filename}: network addresses are not read", "MESH_OUTSIDE")
    folders = _allowed_folders(folder)
    roots = [*folders, *(Path(p).resolve() for p in packages.values())]
    candidates = [path.resolve() for path in _candidates(filename, parts, folders, packages)]
    allowed = [path for path in candidates if any(path.is_relative_to(root) for root in roots)]
    for path in allowed:
        if path.is_file():
            return path
    if candidates[0] not in allowed:
        raise MeshProblem(
            f"mesh {filename} lies outside the folders of the URDF; allow its folder with --package NAME=DIR",
            "MESH_OUTSIDE",
        )
    cure = f" (name its folder: --package {parts.netloc}=DIR)" if parts.scheme in ("package", "model") else ""
    raise MeshProblem(f"mesh {filename} not found{cure}", "MESH_MISSING")


def _allowed_folders(folder: Path) -> list[Path]:
    """The URDF's folder and a few above it, never the root of the file system."""
    home = folder.resolve()
    return [home, *(p for p in list(home.parents)[:PARENTS] if p != p.parent)]


def _candidates(filename: str, parts: Any, folders: list[Path], packages: Mapping[str, str]) -> list[Path]:
    if parts.scheme in ("package", "model"):
        name, rest = unquote(parts.netloc), unquote(parts.path).lstrip("/")
        named = [Path(packages[name]) / rest] if name in packages else []
        return [*named, *(base / tail for base in folders for tail in (f"{name}/{rest}", rest))]
    if parts.scheme == "file":
        return [Path(unquote(parts.path))]
    path = Path(filename.replace("\\", "/"))
    return [path] if path.is_absolute() else [base / path for base in folders]


def load_mesh(path: Path) -> Any:
    """The file as one `trimesh.Trimesh` in its own units, vertices as stored; `MeshProblem` if it is not one."""
    return _load_cached(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=256)
def _load_cached(path: Path, _modified: int) -> Any:
    import trimesh

    if path.stat().st_size > MAX_BYTES:
        raise MeshProblem(f"mesh {path.name} is larger than {MAX_BYTES // 2**20} MB")
    with path.open("rb") as stream:
        if stream.read(40).startswith(b"version https://git-lfs"):
            message = f"mesh {path.name} is a Git LFS pointer, not a mesh: fetch it with `git lfs pull`"
            raise MeshProblem(message, "MESH_POINTER")
        stream.seek(0)
        logging.getLogger("trimesh").setLevel(logging.CRITICAL)
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                # A stream and a resolver bound to the folder: a mesh never makes us read anything elsewhere.
                mesh: Any = trimesh.load(
                    stream,
                    file_type=path.suffix[1:].lower(),
                    resolver=_beside(path.parent),
                    force="mesh",
                    process=False,
                    skip_materials=True,
                )
        except Exception as error:  # trimesh's loaders raise whatever their parsers raise
            raise MeshProblem(f"mesh {path.name} cannot be read: {str(error) or type(error).__name__}") from None
    if len(getattr(mesh, "faces", ())) == 0:
        raise MeshProblem(f"mesh {path.name} has no triangles", "MESH_EMPTY")
    if not np.isfinite(mesh.vertices).all():
        raise MeshProblem(f"mesh {path.name} has vertices that are not finite")
    return mesh


def _beside(folder: Path) -> Any:
    from trimesh.resolvers import Resolver

    class FolderResolver(Resolver):
        """Files that a mesh refers to, from its own folder only."""

        def __init__(self) -> None:
            """Nothing to keep: the folder is the enclosing one."""

        def get(self, name: str) -> bytes:
            path = (folder / name).resolve()
            if not path.is_relative_to(folder) or not path.is_file():
                raise ValueError(f"{name} is not beside the mesh")
            return path.read_bytes()

        def keys(self) -> list[str]:
            return []

        def write(self, name: str, data: bytes) -> None:
            raise ValueError("meshes are only read")

        def namespaced(self, namespace: str) -> Any:
            return _beside(folder / namespace)

    return FolderResolver()
