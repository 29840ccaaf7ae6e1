"""The checks that a URDF is one tree: PyBullet dies, and yourdfpy guesses, where it is not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simcheck.asset.normalise import CleanUrdf


def require_tree(clean: CleanUrdf) -> None:
    """Refuse the clean tree unless its links and joints form one rooted tree, joint names unique."""
    links = [link.get("name") for link in clean.root.iterfind("link")]
    joints = list(clean.root.iterfind("joint"))
    for name, count in Counter(joint.get("name") for joint in joints).items():
        if count > 1:
            cause = f"{count} joints have this name; names must differ"
            clean.refuse(f"joint {name!r}", "name", cause, code="JOINT_NAME_DUPLICATE", value=name)
    known = set(links)
    parent_of: dict[str, tuple[str, str]] = {}
    sound = True
    for joint in joints:
        name = joint.get("name")
        parent, child = joint.find("parent").get("link"), joint.find("child").get("link")
        undefined = [(role, link) for role, link in (("parent", parent), ("child", child)) if link not in known]
        for role, link in undefined:
            cause, cure = f"link {link!r} is not defined", f'Add <link name="{link}"/> or correct it.'
            clean.refuse(f"joint {name!r}", role, cause, cure, code="LINK_UNDEFINED", value=link)
        if parent == child:
            cause = f"parent and child are the same link {child!r}"
            clean.refuse(f"joint {name!r}", "child", cause, code="JOINT_SELF_LOOP", value=child)
        elif child in parent_of:
            cause = f"it is the child of two joints, {parent_of[child][1]!r} and {name!r}: closed chains are not a tree"
            cure = "Cut the loop: remove one of the joints."
            clean.refuse(f"link {child!r}", "", cause, cure, code="PARENTS_SEVERAL", value=name)
        elif not undefined:
            parent_of[child] = (parent, name)
            continue
        sound = False
    if sound:  # else what looks like a second root or a loop is a consequence
        _require_one_root(clean, links, parent_of)


def _require_one_root(clean: CleanUrdf, links: list[str], parent_of: dict[str, tuple[str, str]]) -> None:
    roots = [link for link in dict.fromkeys(links) if link not in parent_of]
    if len(roots) > 1:
        cause = f"{len(roots)} root links, {_listed(roots)}: a URDF is one tree"
        clean.refuse("", "", cause, "Join them or remove the others.", code="ROOTS_SEVERAL", value=_listed(roots))
    elif not roots:
        loop = " -> ".join(_cycle(parent_of, links[0]))
        clean.refuse("", "", f"no root link: the joints form a cycle, {loop}", code="ROOT_MISSING", value=loop)
    # One root and one parent each: what is not reached from the root hangs on a cycle of its own.
    elif lost := _unreachable(roots[0], parent_of):
        loop = " -> ".join(_cycle(parent_of, lost[0]))
        clean.refuse("", "", f"a cycle apart from the root: {loop}", code="CYCLE", value=loop)


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
