"""Small URDF texts for the tests of verify: a clean one, and pieces to change it with."""

from __future__ import annotations

from urdf_and_command import joint, robot

BOX = '<{0}><origin xyz="{1}"/><geometry><box size="{2}"/></geometry></{0}>'


def boxed(role: str = "collision", at: str = "0 0 0", size: str = "0.1 0.2 0.3") -> str:
    return BOX.format(role, at, size)


def inertial(mass: float = 4.2, moments: str = "", at: str = "0 0 0") -> str:
    """Of a box 0.1 x 0.2 x 0.3 m at 700 kg/m^3 unless given."""
    xx, yy, zz = (mass * (a * a + b * b) / 12 for a, b in ((0.2, 0.3), (0.1, 0.3), (0.1, 0.2)))
    moments = moments or f'ixx="{xx}" ixy="0" ixz="0" iyy="{yy}" iyz="0" izz="{zz}"'
    return f'<inertial><origin xyz="{at}"/><mass value="{mass}"/><inertia {moments}/></inertial>'


def link(name: str, *parts: str) -> str:
    return f'<link name="{name}">{"".join(parts)}</link>\n'


A = link("a", inertial(), boxed("visual"), boxed())
B = link("b", inertial(), boxed("visual"), boxed())
HINGE = joint("j", "revolute", "a", "b", xyz="0.11 0 0", axis="1 0 0", limit='lower="-0.5" upper="1"')
SLIDE = joint("j", "prismatic", "a", "b", xyz="0.11 0 0", axis="1 0 0", limit='lower="0" upper="0.2"')


def one(joint_text: str = HINGE, a: str = A, b: str = B) -> str:
    """Two links and a joint."""
    return robot(joint_text, links=a + b)


def two(first: str, second: str, c: str = "") -> str:
    """Three links and two joints."""
    return robot(first, second, links=A + B + (c or link("c", inertial(), boxed("visual"), boxed())))


CLEAN = one()
