"""The checks that a URDF is one tree: PyBullet dies, and yourdfpy guesses, where it is not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simcheck.asset.normalise import CleanUrdf


def require_tree(clean: CleanUrdf) -> None:
    """Raise `AssetError` unless links and joints of the clean tree form one rooted tree, joint names unique."""
    links = [link.get("name") for link in clean.root.iterfind("link")]
    joints = list(clean.root.iterfind("joint"))
    for name, count in Counter(joint.get("name") for joint in joints).items():
        if count > 1:
            raise clean.error(f"joint {name!r}", "name", f"{count} joints have this name; names must differ")
    known = set(links)
    parent_of: dict[str, tuple[str, str]] = {}
    for joint in joints:
        name = joint.get("name")
        parent, child = joint.find("parent").get("link"), joint.find("child").get("link")
        for role, link in (("parent", parent), ("child", child)):
            if link not in known:
                raise clean.error(
                    f"joint {name!r}",
                    role,
                    f"link {link!r} is not defined",
                    f'Add <link name="{link}"/> or correct it.',
                )
        if parent == child:
            raise clean.error(f"joint {name!r}", "child", f"parent and child are the same link {child!r}")
        if child in parent_of:
            raise clean.error(
                f"link {child!r}",
                "",
                f"it is the child of two joints, {parent_of[child][1]!r} and {name!r}: closed chains are not a tree",
                "Cut the loop: remove one of the joints.",
            )
        parent_of[child] = (parent, name)
    roots = [link for link in links if link not in parent_of]
    if len(roots) > 1:
        raise clean.error(
            "", "", f"{len(roots)} root links, {_listed(roots)}: a URDF is one tree", "Join them or remove the others."
        )
    if not roots:
        raise clean.error("", "", f"no root link: the joints form a cycle, {' -> '.join(_cycle(parent_of, links[0]))}")
    # One root and one parent each: what is not reached from the root hangs on a cycle of its own.
    lost = _unreachable(roots[0], parent_of)
    if lost:
        raise clean.error("", "", f"a cycle apart from the root: {' -> '.join(_cycle(parent_of, lost[0]))}")


def _unreachable(root: str, parent_of: dict[str, tuple[str, str]]) -> list[str]:
    children: dict[str, list[str]] = {}
    for child, (parent, _) in parent_of.items():
        children.setdefault(parent, []).append(child)
    reached, stack = {root}, [root]
    while stack:
        below = children.get(stack.pop(), [])
        reached.update(below)
        stack.extend(below)
    return [link for link in parent_of if link not in reached]


def _cycle(parent_of: dict[str, tuple[str, str]], start: str) -> list[str]:
    seen: list[str] = []
    link = start
    while link not in seen:
        seen.append(link)
        link = parent_of[link][0]
    loop = seen[seen.index(link) :]
    return [*reversed(loop), loop[-1]]


def _listed(names: Iterable[str]) -> str:
    names = list(names)
    shown = ", ".join(names[:6])
    return shown if len(names) <= 6 else f"{shown} and {len(names) - 6} more"
