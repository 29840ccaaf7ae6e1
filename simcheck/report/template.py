"""Pages from templates: everything escaped, nothing from the network, and only the page's own scripts may run."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Sequence
from importlib.resources import files
from typing import Any


def static(name: str, package: str = "simcheck.report") -> str:
    """A file of a package's ``static`` folder."""
    return (files(package) / "static" / name).read_text(encoding="utf-8")


def render(template: str, scripts: Sequence[str], package: str = "simcheck.report", **values: Any) -> str:
    """A template of a package (or one of ours that it includes) as HTML: the same values, the same text.

    The template gets ``scripts``, each to stand in a script element as it is, and ``policy``, the content security
    policy that names them by their hashes.
    """
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    def load(name: str) -> str:
        ours = files("simcheck.report") / "static" / name
        return static(name) if ours.is_file() else static(name, package)

    environment = Environment(
        loader=FunctionLoader(load), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    texts = ["\n" + script for script in scripts]
    return environment.get_template(template).render(scripts=texts, policy=_policy(texts), **values)


def script_json(value: Any) -> str:
    """JSON that may stand inside a script element: no ``<``, so nothing can close it."""
    return json.dumps(value, default=str, sort_keys=False, separators=(",", ":")).replace("<", "\\u003c")


def packed(data: bytes) -> str:
    """Bytes for a page, which ``unpack.js`` reads: gzip, then base64. Same bytes, same text."""
    return base64.b64encode(gzip.compress(data, mtime=0)).decode("ascii")


def _policy(scripts: Sequence[str]) -> str:
    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii") for text in scripts]
    allowed = " ".join(f"'sha256-{digest}'" for digest in hashes) or "'none'"
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )
