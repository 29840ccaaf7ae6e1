"""Pictures of motions on the object they belong to: truth in blue, prediction in orange."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from metric import Joint
from simcheck.asset.model import ArticulatedObject
from simcheck.asset.scene import triangles_of
from simcheck.errors import UsageError
from simcheck.report.images import png_bytes
from simcheck.report.motion import motion_picture
from simcheck.report.raster import Mesh

TILE = (480, 360)
_COLUMNS = 3


def pair_picture(
    obj: ArticulatedObject, joint: str, truth: Joint, prediction: Joint, size: tuple[int, int]
) -> NDArray[np.uint8] | None:
    """One joint of an object, moved to its farther end by the truth and, as a ghost, by the prediction.

    Parameters
    ----------
    obj
        The true object; it lends its geometry.
    joint
        Name of the joint whose moved part is shown.
    truth, prediction
        Motions in the world frame at rest; the prediction with its ends in the order in which they are compared.
    size
        Pixels.

    Returns
    -------
    array, shape (height, width, 4), or None where the moved part has no geometry to show
    """
    wanted = obj.joint(joint)
    moved = obj.welded(wanted.child) if wanted.motion.exactly_fixed else obj.moved_body(joint).links
    shown, rest = (
        [Mesh(v, f, "#888888") for v, f in triangles_of(obj, links)]
        for links in (moved, [name for name in obj.links if name not in moved])
    )
    return motion_picture(rest, shown, truth, prediction, size) if shown else None


def write_tiles(path: Path, images: dict[str, NDArray[np.uint8]]) -> None:
    """Write pictures of one size as one PNG, three in a row, each under its name."""
    if path.suffix.lower() != ".png":
        raise UsageError(f"--plot: expected a file name that ends in .png, got {path.name!r}")
    if not images:
        raise UsageError("--plot: no pair has geometry to draw")
    columns = min(_COLUMNS, len(images))
    tiles = [_titled(image, name) for name, image in images.items()]
    tiles += [np.zeros_like(tiles[0])] * (-len(tiles) % columns)
    rows = [np.concatenate(tiles[k : k + columns], axis=1) for k in range(0, len(tiles), columns)]
    path.write_bytes(png_bytes(np.concatenate(rows)))


def _titled(image: NDArray[np.uint8], title: str) -> NDArray[np.uint8]:
    import matplotlib
    from PIL import Image, ImageDraw, ImageFont

    # The figures' own font: Pillow's has no arrow, nor letters beyond Latin.
    font = ImageFont.truetype(Path(matplotlib.get_data_path(), "fonts", "ttf", "DejaVuSans.ttf"), 14)
    canvas = Image.fromarray(image)
    ImageDraw.Draw(canvas).text((8, 4), title, fill="#555555", font=font)
    return np.asarray(canvas)
