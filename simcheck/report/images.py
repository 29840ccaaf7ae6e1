"""Arrays of pixels as files in memory: PNG and GIF."""

from __future__ import annotations

import io
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Pixels = NDArray[np.uint8]


def png_bytes(image: Pixels, colours: int | None = None) -> bytes:
    """The image (h, w, 4) as a PNG file; same image, same bytes.

    Parameters
    ----------
    image : ndarray of uint8, shape (h, w, 4)
    colours : int, optional
        At most 256: a palette of so many colours, coverage included, for small pictures.
    """
    from PIL.Image import fromarray

    picture = fromarray(image)
    if colours is not None:
        palette, index = _palette(image.reshape(-1, 4), colours)
        picture = fromarray(index.reshape(image.shape[:2]).astype(np.uint8), "P")
        picture.putpalette(palette.tobytes(), "RGBA")
    buffer = io.BytesIO()
    picture.save(buffer, format="png", optimize=True)
    return buffer.getvalue()


def gif_bytes(images: Sequence[Pixels], seconds: float = 0.08, colours: int = 64) -> bytes:
    """Opaque images (h, w, 4) as an endless GIF film, one palette for all of them.

    Parameters
    ----------
    images
        At least one.
    seconds : float
        Time of a picture.
    colours : int
        At most 256.
    """
    from PIL.Image import Dither, Quantize, fromarray

    frames = [np.ascontiguousarray(image[..., :3]) for image in images]
    sample = np.concatenate(frames[:: max(1, len(frames) // 8)])
    palette = fromarray(sample).quantize(colours, method=Quantize.MEDIANCUT, kmeans=1, dither=Dither.NONE)
    first, *rest = (fromarray(frame).quantize(palette=palette, dither=Dither.NONE) for frame in frames)
    buffer = io.BytesIO()
    film = {"save_all": True, "append_images": rest, "duration": round(1000 * seconds), "loop": 0, "optimize": False}
    first.save(buffer, format="gif", **film)
    return buffer.getvalue()


def _palette(pixels: Pixels, colours: int) -> tuple[Pixels, NDArray[np.int64]]:
    """Colours (n, 4) that stand for the pixels (p, 4), and which one stands for each: k-means.

    pillow's one method that keeps coverage (an octree) turns greys blue at 32 colours.
    """
    distinct, member, count = np.unique(pixels, axis=0, return_inverse=True, return_counts=True)
    opacity = distinct[:, 3:] / 255.0
    points = np.hstack([distinct[:, :3] * opacity, distinct[:, 3:]])  # invisible pixels have no colour
    centres = points[[np.argmax(count)]]
    gap = np.full(len(points), np.inf)
    while len(centres) < min(colours, len(points)):
        gap = np.minimum(gap, np.sum((points - centres[-1]) ** 2, axis=1))
        if not gap.any():
            break
        centres = np.vstack([centres, points[np.argmax(gap * np.sqrt(count))]])
    for _ in range(8):
        nearest = _nearest(points, centres)
        weight = np.bincount(nearest, count, len(centres))
        sums = np.stack([np.bincount(nearest, count * x, len(centres)) for x in points.T], axis=1)
        centres = np.where(weight[:, None] > 0, sums / np.maximum(weight, 1)[:, None], centres)
    nearest = _nearest(points, centres)
    coverage = centres[:, 3:] / 255
    straight = np.hstack([centres[:, :3] / np.where(coverage > 0, coverage, 1), centres[:, 3:]])
    return np.round(np.clip(straight, 0, 255)).astype(np.uint8), nearest[member.ravel()]


def _nearest(points: Array, centres: Array) -> NDArray[np.int64]:
    return np.argmin(np.sum(centres**2, axis=1) - 2 * points @ centres.T, axis=1)
