"""Files for a simulator to read: each with a name that was never used before, because PyBullet caches by name."""

from __future__ import annotations

import contextlib
import os
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def scratch_file(text: str) -> Iterator[Path]:
    """A URDF text as a file, gone afterwards."""
    folder = "/dev/shm" if os.path.isdir("/dev/shm") and os.access("/dev/shm", os.W_OK) else tempfile.gettempdir()
    path = Path(folder) / f"simcheck-{uuid.uuid4().hex}.urdf"
    try:
        path.write_text(text, encoding="utf-8")
        yield path
    finally:
        path.unlink(missing_ok=True)
