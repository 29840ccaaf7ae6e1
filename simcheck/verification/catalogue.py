"""The codes of findings: what each one means, why it matters, how to mend it. One place for all of it.

A code never changes its meaning. The severity is the usual one; a rule may raise or lower it where the entry says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

SEVERITIES = ("error", "warning", "info")


@dataclass(frozen=True)
class Entry:
    """One code of the catalogue."""

    code: str
    severity: str  # error: broken, or simulated otherwise than written; warning: legal but odd; info: good to know
    title: str
    why: str
    remedy: str


_TEXT = """
FILE_UNREADABLE error: the file cannot be read
  Nothing can be said about it.
  Check the path and the permissions.
FILE_TOO_LARGE error: the file is too large for a URDF
  A text of this size is not plausible, and parsing it takes about ten times its size in memory.
  Keep meshes in files of their own.
FILE_EMPTY error: the file is empty
  Often an interrupted download or a failed export.
  Export or download it again.
XML_BROKEN error: not well-formed XML
  Each parser repairs broken XML in its own way and may drop parts of the robot without a word.
  Correct the text at the line named; an XML editor shows it.
XML_ENTITY error: the file declares XML entities
  Entities can read other files or grow without bound, so they are not expanded; loaders differ about them.
  Remove the <!DOCTYPE ...> block and write the values out.
XML_STYLE warning: a fault of XML that was stepped over
  Nothing was lost here, but strict parsers (ElementTree, ROS tools) refuse the file.
  Correct the text at the line named.
XML_NAMESPACE info: the robot has a default name space
  yourdfpy then reads an empty robot without any error.
  Remove xmlns="..." from <robot>.
NOT_URDF error: the file is not a URDF
  The root element is not <robot>.
  Convert the model first (MJCF: mjcf2urdf), or name the right file.
LINKS_NONE error: the robot has no link
  There is nothing to simulate; often an unexpanded xacro file or a fragment.
  Expand the file with xacro.
JOINTS_TOO_MANY error: more joints than any object has
  A file of this size only costs time.
  Split the object.
LINE_TOO_LONG warning: a line is longer than 8,191 bytes
  PyBullet splits the text there: a number that is cut is read short without a word, or the file is refused.
  Write the file with line breaks (xmllint --format).
ROBOT_UNNAMED warning: the robot has no name
  PyBullet and yourdfpy refuse the file.
  Write <robot name="...">.
ELEMENT_REPEATED warning: an element stands twice where one is allowed
  Loaders differ about which one counts.
  Remove one of them.

NAME_MISSING error: a link or joint has no name
  Nothing can refer to it, and PyBullet dies on a joint without a name.
  Give it a name of its own.
NAME_UNUSUAL info: a name with spaces or outside ASCII
  Legal, but ROS names, file names and command lines often cannot hold it.
  Use letters, digits and underscores.
JOINT_NAME_DUPLICATE error: two joints have one name
  PyBullet dies (segmentation fault); yourdfpy silently keeps the last one.
  Rename one of them.
LINK_NAME_DUPLICATE error: two links have one name
  Joints cannot say which one they mean; PyBullet refuses the file.
  Rename one of them.
JOINT_END_MISSING error: a joint names no parent or no child
  It connects nothing.
  Add <parent link="..."/> and <child link="..."/>.
LINK_UNDEFINED error: a joint names a link that does not exist
  PyBullet refuses the file.
  Correct the name, or add the link.
JOINT_SELF_LOOP error: parent and child are the same link
  PyBullet dies (segmentation fault).
  Correct one of the two names.
PARENTS_SEVERAL error: a link is the child of two joints
  A URDF is a tree; PyBullet dies (segmentation fault).
  Cut the closed chain: remove one of the joints.
ROOTS_SEVERAL error: more than one root link
  A URDF is one tree; PyBullet dies (segmentation fault).
  Join the parts by a fixed joint, or remove the others.
ROOT_MISSING error: no root link
  Every link has a parent: the joints form a cycle, and PyBullet refuses the file.
  Remove one joint of the cycle.
CYCLE error: a cycle apart from the root
  These links hang on nothing.
  Remove one joint of the cycle and join the rest to the tree.
STOPPED_HERE info: the check stopped at the structure
  Joints and links that do not form one tree have no places and no motions to look at.
  Mend the structure, then check again: there may be more.
JOINT_TYPE_MISSING error: a joint has no type
  PyBullet dies (segmentation fault).
  Write type="revolute", "continuous", "prismatic" or "fixed".
JOINT_TYPE_UNKNOWN error: a joint type that does not exist
  PyBullet refuses the file; yourdfpy welds the joint without a word.
  Use revolute, continuous, prismatic, fixed, floating or planar.
JOINT_FREEDOMS error: a joint with several degrees of freedom
  A motion between two limits is defined for joints with one coordinate only; PyBullet makes a floating joint fixed.
  Write it as a chain of one-coordinate joints, or check with --decompose.
JOINT_DECOMPOSED info: a joint was split into a chain
  Asked for by --decompose.
  Nothing to do.
JOINT_FLOATING_BASE info: the base is held by a floating joint
  The object is looked at with its base fixed; PyBullet makes the joint fixed.
  Nothing to do.
JOINT_UNKNOWN error: no joint has the name that was asked for
  Nothing was computed.
  Choose one of the names listed.

FORMAT_UNKNOWN error: a prediction in none of the formats that are read
  What it holds cannot be guessed.
  Name its format with --format, or convert it (simcheck help formats).
FORMAT_EMPTY error: a prediction that holds no object
  A program, a verdict, an empty list, or an estimate of another kind.
  Pass the file in which the method writes its joints.
FORMAT_ASSUMED warning: the format leaves something open
  It was settled as the message says; another choice gives other numbers.
  Check that it is what your method means.
FORMAT_CONTRADICTION warning: two places of a prediction disagree
  One of them was taken, as the message says.
  Correct the other one.
JSON_BROKEN error: not JSON, or JSON without one meaning
  Parsers repair it, or choose among doubled keys, each in its own way.
  Correct the text at the place named.
NPZ_BROKEN error: an npz that cannot be read, or not without running it
  Pickled objects can run programs when they are read.
  Save plain arrays of numbers.
FIELD_INVALID error: a field of a prediction is missing or holds something else
  The motion is not known without it.
  Write what the message expects.

NUMBER_INVALID error: a text that is no number
  PyBullet reads 0 or drops the rest of the vector without a word; other loaders refuse the file.
  Write plain numbers with a decimal point, separated by spaces.
NUMBER_COUNT error: too few or too many numbers
  Loaders drop what is too many and refuse or zero what is too few.
  Write exactly as many as the attribute has.
NUMBER_WHITESPACE warning: a tab or a line break inside a vector
  Legal XML, but PyBullet splits at spaces only: it reads zeros or refuses the file.
  Separate the numbers by single spaces.
SIZE_MISSING error: a shape lacks a size
  The shape has no extent; PyBullet refuses the file.
  Add the attribute.
SIZE_NEGATIVE error: a shape has a negative size
  No solid has it.
  Write the absolute value.
GEOMETRY_UNUSABLE warning: a visual or collision without usable geometry
  The shape is left out; PyBullet may refuse the file.
  Use box, sphere, cylinder, capsule or mesh, or remove the element.

AXIS_ZERO error: a moving joint has the axis 0 0 0
  It has no direction to move in; PyBullet's poses become NaN.
  Write the direction, for example 0 0 1.
AXIS_NOT_UNIT warning: an axis is not of length 1 (error on a sliding joint)
  PyBullet and yourdfpy move a sliding joint so many times as far; a turning one they normalise. Below 1e-3: rounding.
  Divide the axis by its length.
AXIS_DEFAULTED info: a moving joint has no axis
  The standard's default 1 0 0 applies, in the joint's frame; it is often not what was meant.
  Write the axis.
LIMIT_MISSING error: a revolute or prismatic joint has no limit
  The standard demands one; PyBullet refuses the file.
  Add <limit lower="..." upper="..."/>, or type="continuous" for a joint that turns on.
LIMIT_DEFAULTED warning: a limit lacks lower or upper
  The standard reads 0, so the joint may not move at all; PyBullet reads other numbers and often lets it run free.
  Write both.
LIMIT_ORDER error: lower is greater than upper
  PyBullet takes it for no limit: the joint moves freely.
  Swap the two.
LIMIT_EMPTY error: the limits leave no position
  A lower limit of +inf, or an upper one of -inf.
  Write finite limits.
LIMIT_EQUAL warning: both limits are the same position
  The joint cannot move and stands away from 0.
  Write a range, or a fixed joint at that position.
LIMIT_EXCLUDES_REST info: 0 lies outside the limits
  The drawn pose is not a reachable one: with time stepping, PyBullet pushes the joint off it at once.
  Re-anchor the joint so that its drawn pose lies inside, or leave it knowingly.
JOINT_NEVER_MOVES warning: a moving joint with the limits 0 and 0
  It is treated as fixed.
  Write the range, or type="fixed".
CONTINUOUS_WITH_LIMITS warning: a continuous joint with limits
  By the standard a continuous joint has none; PyBullet reports the numbers as its limits and does not stop there.
  Remove lower and upper, or write type="revolute".

JOINT_STILL warning: a joint that moves nothing
  Its motion leaves every point of its body where it is, so that no error in it can be seen.
  Check axis, limits and the body of the joint.

UNIT_ANGLE warning: limits that look like degrees
  More than three turns, or a limit beyond a turn that is a whole number: URDF has radians.
  Multiply by pi/180 if they are degrees.
UNIT_LENGTH warning: a stroke that looks like another unit
  More than 20 times, or less than a thousandth of the object's size: URDF has metres.
  Divide by 1000 if it is in millimetres.
UNIT_SIZE warning: an object of an unlikely size
  Larger than 100 m or smaller than 1 mm: URDF has metres.
  Scale the object, or its meshes.
LINK_OVERSIZED warning: a link is more than 20 times as large as all others together
  Often a mesh in millimetres among others in metres.
  Check the scale of its meshes.
STROKE_LONG warning: a stroke longer than 1.5 times the object
  The part leaves the object by far; often an angle that became a stroke with the wrong joint type.
  Check type and limits.
PITCH_LARGE warning: a screw that advances more than the object's size in one turn
  Often a multiplier in millimetres: it is in metres per radian.
  Divide by 1000, or check the multiplier.

SCREW_TYPE warning: a joint of type screw
  Outside the URDF standard: PyBullet refuses it. Its thread_pitch is taken as metres per radian, right-handed positive.
  Write a turning joint and a sliding one that mimics it (simcheck convert does).
SCREW_PITCH_MISSING error: a screw joint without thread_pitch
  Its motion is unknown.
  Add <thread_pitch value="..."/> in metres per radian.
SCREW_ALMOST warning: a turn and a slide that nearly make a screw
  One condition fails, so they are two joints that can move apart.
  Mend the condition named if a screw is meant.
SCREW_CUT warning: the sliding half of a screw shortens its range
  The limits of turn and slide do not describe the same positions.
  Give the slide the limits multiplier x those of the turn.
SCREW_LIMITS warning: the halves of a screw have ranges that do not agree
  The limits of turn and slide do not describe the same positions.
  Give the slide the limits multiplier x those of the turn.
SCREW_NO_RANGE error: the halves of a screw have no position in common
  The screw cannot be anywhere.
  Give the slide the limits multiplier x those of the turn.
MIMIC_EMPTY warning: a mimic that names no joint
  It does nothing.
  Name the leader, or remove the element.
MIMIC_INDEPENDENT info: a joint that follows another one
  It is looked at as a joint of its own; PyBullet ignores mimic altogether.
  Set up the coupling in the simulator where it matters.
MIMIC_LEADER_UNKNOWN error: a mimic of a joint that does not exist
  Loaders refuse the file or let the joint stand still.
  Correct the name of the leader.
MIMIC_SELF error: a joint that mimics itself
  Its position is not defined.
  Name the leader, or remove the element.
MIMIC_LOOP error: joints that mimic each other in a circle
  Their positions are not defined.
  Let one of them lead.
MIMIC_OFFSET warning: a mimic with an offset
  With the leader at 0 the follower is not: yourdfpy's rest pose is not the pose drawn in the file, and PyBullet's is.
  Re-anchor the follower so that its offset is 0.
MIMIC_LIMITS warning: a follower that must leave its limits
  Over the leader's range the follower would pass its own limits.
  Widen the follower's limits, or narrow the leader's.

INERTIAL_MISSING warning: a link with geometry but without inertial (info where it has no geometry)
  PyBullet invents mass 1 and inertia 1; other loaders leave the link massless.
  Write the <inertial> of the part (simcheck describe computes it).
INERTIAL_INCOMPLETE error: an inertial lacks mass or inertia
  PyBullet refuses the file.
  Write both.
MASS_NOT_POSITIVE error: a mass that is zero or negative
  PyBullet keeps it without a word: the part cannot be pushed, or flees.
  Write the mass of the part in kg.
INERTIA_DEFAULTED warning: an inertia lacks an off-diagonal element
  0 is read.
  Write all six.
INERTIA_NOT_PSD error: a tensor with a negative principal moment
  No body has it; PyBullet sets the whole tensor to zero.
  Compute it again: moments about the centre of mass, products of inertia with their sign.
INERTIA_TRIANGLE error: the largest principal moment exceeds the sum of the others
  No body has it; PyBullet sets the whole tensor to zero. A check of the diagonal misses it where the axes are turned.
  Compute it again, about the centre of mass.
INERTIA_ZERO warning: a tensor of zeros
  A point mass: it offers no resistance to turning.
  Write the tensor of the part.
INERTIA_PLACEHOLDER warning: a tensor that was not computed for its part
  The identity, or one tensor on links of different sizes: motions under forces will be wrong.
  Compute the tensor of each part.
INERTIA_GYRATION warning: a radius of gyration that does not fit the part
  Below 0.2 or above 1.2 times that of the evenly filled shape: another unit, a placeholder, or about another point.
  Compute it again, about the centre of mass, in kg m^2.
DENSITY warning: a density that no material has
  Outside 1 to 25,000 kg/m^3: grams, or a mesh in another unit.
  Check mass and size of the part.
DENSITY_RATIO warning: a link 1,000 times as dense as the others
  Often a mass in grams among others in kilograms.
  Check its mass.
COM_OFF_PART warning: the centre of mass lies outside the part
  By more than a twentieth of the part's diagonal: it was written in another frame or unit.
  Write it in the link's frame, in metres.

MESH_MISSING error: a mesh file that is not there
  PyBullet refuses the whole file.
  Correct the path, add the file, or name its package with --package NAME=DIR.
MESH_OUTSIDE error: a mesh outside the folders of the file
  It is not read: neither network addresses nor folders that were not named.
  Copy it beside the file, or allow its folder with --package NAME=DIR.
MESH_POINTER error: a mesh that is only a Git LFS pointer
  PyBullet loads the link without any shape and says nothing.
  Fetch it: git lfs pull.
MESH_EMPTY error: a mesh without triangles or without extent
  The link has no shape there.
  Export it again.
MESH_UNREADABLE error: a mesh that cannot be read
  The link has no shape there; PyBullet may refuse the file.
  Export it again as OBJ or STL.
MESH_FORMAT error: a mesh format that PyBullet does not read
  It refuses the whole file.
  Convert it to OBJ or STL.
MESH_MIRRORED warning: a mesh mirrored by its scale
  Normals turn inside out, and loaders differ about it.
  Mirror the mesh itself and write a positive scale.
MESH_INSIDE_OUT warning: a mesh whose faces look inwards
  Its volume is negative: masses computed from it are wrong, and renderers may hide it.
  Flip the faces.
MESH_HOLES warning: a mesh with holes (info where no mass is computed from it)
  It encloses no volume; the holes were filled to get one.
  Close the mesh.
MESH_OPEN warning: a mesh that is not closed (info where no mass is computed from it)
  It encloses no volume; its convex hull stands for it.
  Close the mesh.
MESH_DOUBLE_SIDED info: a mesh that stores every triangle twice
  Its signed volume is 0; each triangle is counted once.
  Export it single-sided.
MESH_FLAT info: a flat mesh
  It has an area and no volume; it counts as a thin sheet.
  Nothing to do if a sheet is meant.
MESH_SCALE_SINGLE warning: a mesh scale of one number
  PyBullet takes it for all three, other readers refuse it.
  Write three numbers.
COLLISION_OFFSET warning: visual and collision of a link lie apart
  Their boxes differ by more than a fifth of the diagonal: contacts will not be where the part is seen.
  Check the origin and size of both.

PARTS_COLLIDE warning: a part moves into another one
  Somewhere in its range the joint drives the part more than 1 mm deep into another part, deeper than at rest.
  Check limits, axis and origin of the joint.
PARTS_OVERLAP warning: a part stands inside another one at rest
  More than 1 mm deep in the drawn pose.
  Check the origins of joint and shapes; for nested shells that are meant so, keep it in a baseline.
PART_DETACHED warning: a part hangs in the air
  At rest it is farther from everything else than 20 mm and than 5 % of the object's size.
  Check the origin of the joint and of the part's shapes.
SWEEP_UNDECIDED info: meshes that could not be judged for collisions
  They are not convex, and their filled hulls would collide where the parts do not.
  Write collision shapes from convex pieces.

SIM_REFUSED error: the simulator refuses the file
  It cannot be simulated as it stands.
  Mend the cause named by the simulator and by the other findings.
SIM_CRASHED error: the simulator dies on the file
  The whole process that loads it is lost.
  Mend the other findings first; broken structure is the usual cause.
SIM_TIMEOUT error: the simulator does not come to an end
  The process was ended.
  Look for huge meshes or thousands of links.
SIM_TREE error: the simulator holds other joints or links
  A joint is missing, or hangs on another link than the file says.
  Mend the other findings of the element.
SIM_KIND error: the simulator holds another kind of joint
  It moves otherwise than the file says.
  Use a kind that the simulator knows.
SIM_LIMITS error: the simulator holds other limits (warning on a continuous joint, which they do not stop)
  The joint stops elsewhere than the file says, or not at all.
  Write lower and upper as plain numbers, lower first.
SIM_STOPS error: the joint stops elsewhere than at its limits
  Measured by pressing it against both limits with a motor.
  Write lower and upper as plain numbers, lower first.
SIM_AXIS error: the simulator holds another axis
  The joint moves in another direction.
  Write the axis as three plain numbers, separated by spaces.
SIM_POSE error: the simulator puts a part elsewhere at rest
  The drawn pose is not the simulated one.
  Write origins as plain numbers, separated by spaces.
SIM_MOTION error: the simulator moves a part otherwise
  Set to the same coordinate, the part is elsewhere than the file says.
  See the other findings of the joint.
SIM_NAN error: the simulator's poses are not numbers
  One such joint spoils the whole simulation.
  Mend axis and numbers of the joint.
SIM_READBACK error: a coordinate reads back otherwise than it was set
  Whatever is computed from it is wrong.
  Drive the joint in a smaller copy of the object.
SIM_MASS error: the simulator holds another mass
  Motions under forces are wrong.
  Write the mass as a plain positive number.
SIM_COM error: the simulator holds another centre of mass
  Motions under forces are wrong.
  Write the inertial origin as plain numbers, separated by spaces.
SIM_INERTIA error: the simulator holds another inertia
  Motions under forces are wrong; a tensor that no body has is set to zero.
  See the other findings of the link.
SIM_MESSAGE info: what the simulator printed
  Its messages go to the C library's output, where programs do not see them.
  Read it beside the other findings.
ENGINE_LIMIT warning: a limit of the simulator, not a fault of the file
  It cannot show this part of the object.
  Drive the object in pieces (simcheck drive does), or use another simulator.
COPY_DIFFERS error: the simulator holds our own clean copy otherwise than written
  Either of us is wrong: every other number of this file is in doubt.
  Please report it with the file.
CHECK_FAILED error: a check of ours failed
  The file may be fine; the report is not complete.
  Please report it with the file.
"""

_ENTRY = re.compile(r"^([A-Z_0-9]+) (error|warning|info): (.+)\n  (.+)\n  (.+)$", re.MULTILINE)

CATALOGUE: Mapping[str, Entry] = MappingProxyType({code: Entry(code, *texts) for code, *texts in _ENTRY.findall(_TEXT)})
"""Every code, in the order of the text above: the file, structure, numbers, joints, units, mass, meshes, simulator."""

STRUCTURE = frozenset(
    {"NAME_MISSING", "JOINT_NAME_DUPLICATE", "LINK_NAME_DUPLICATE", "JOINT_END_MISSING", "LINK_UNDEFINED"}
    | {"JOINT_SELF_LOOP", "PARENTS_SEVERAL", "ROOTS_SEVERAL", "ROOT_MISSING", "CYCLE"}
)
"""Codes after which links and joints have no places: the check stops there."""
