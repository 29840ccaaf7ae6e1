"""`view`: an object, or a prediction over its truth, as a page, a picture or a film."""

from __future__ import annotations

import html
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from simcheck.asset import ArticulatedObject, ReadOptions, load
from simcheck.asset.frames import placed
from simcheck.comparison.joints import compare_joints
from simcheck.comparison.options import CompareOptions
from simcheck.comparison.run import read_prediction
from simcheck.errors import AssetWarning, UsageError
from simcheck.results import input_hashes, plain, read_settings, result
from simcheck.viewer.geometry import Geometry, gather
from simcheck.viewer.scene import PREDICTION, TRUTH, Scene, ShownJoint, overlaid_scene, single_scene

FORMATS = (".html", ".png", ".gif")
_PICTURE, _FILM = (960, 720), (480, 360)
_FRAMES = 13  # of a film from end to end; it goes back through the same ones
_WHITE = "#ffffff"
_SHOWN = ("alpha", "kappa", "match", "align", "up", "scale", "origin", "impute_limits", "format")


@dataclass(frozen=True, eq=False)
class View:
    """A scene that can be saved, and that a notebook shows.

    Parameters
    ----------
    scene
        Objects and joints, the largest error first.
    result
        The JSON object of the command: common fields, files, and the rows of the list.
    row
        The row of the list that is in view at first; None without any joint.
    """

    scene: Scene
    result: dict[str, Any]
    row: int | None

    @cached_property
    def geometry(self) -> Geometry:
        """The triangles of both objects."""
        return gather(self.scene.objects)

    @cached_property
    def html(self) -> str:
        """The page, complete in itself: the same inputs, the same text."""
        from simcheck.viewer.page import render_page

        return render_page(self.scene, self.geometry, self.result, self.row)

    def save(self, path: str | Path) -> Path:
        """Write the page, a picture or a film, by the name's ending: .html, .png or .gif.

        Raises
        ------
        UsageError    another ending, or a place that cannot be written
        """
        path = Path(path)
        if path.suffix.lower() not in FORMATS:
            raise UsageError(f"{path}: expected a name that ends in {', '.join(FORMATS)}")
        data = {".html": self._page, ".png": self._picture, ".gif": self._film}[path.suffix.lower()]()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror or error}") from None
        return path

    def _page(self) -> bytes:
        return self.html.encode("utf-8", errors="backslashreplace")

    def _picture(self) -> bytes:
        from simcheck.report.images import png_bytes
        from simcheck.viewer.drawing import Drawing

        drawing = Drawing(self.scene, self.geometry, self.row)
        camera = drawing.camera(_PICTURE[0] / _PICTURE[1])
        return png_bytes(drawing.picture(drawing.far_end, camera, _PICTURE))

    def _film(self) -> bytes:
        from simcheck.report.images import gif_bytes
        from simcheck.viewer.drawing import Drawing

        images = list(Drawing(self.scene, self.geometry, self.row).film(_FRAMES, _FILM, _WHITE))
        return gif_bytes([*images, *images[-2:0:-1]])

    def _repr_html_(self) -> str:
        frame = 'style="width: 100%; height: 640px; border: 0" sandbox="allow-scripts allow-downloads"'
        return f'<iframe {frame} srcdoc="{html.escape(self.html)}"></iframe>'


def view(
    ground_truth: str | Path | ArticulatedObject,
    prediction: str | Path | ArticulatedObject | None = None,
    *,
    joint: str | None = None,
    options: CompareOptions | None = None,
    read: ReadOptions | None = None,
    **changes: Any,
) -> View:
    """Look at an object, or at a prediction over its truth, with a slider for every joint or pair of joints.

    Parameters
    ----------
    ground_truth, prediction
        Files, or objects that were read; a prediction, and an object alone, in any format that `compare` reads.
    joint
        Name of the joint that is in view at first; by default the one with the largest E_B.
    options
        See `simcheck.CompareOptions`; single options may be given by name instead: ``view(a, b, align="bbox")``. d is
        computed in closed form (`compare` measures it in the simulator; they agree to rounding).
    read
        How files are read.

    Returns
    -------
    View
        ``view(a, b).save("overlay.html")`` (or ``.png``, ``.gif``); in a notebook it shows itself.

    Raises
    ------
    AssetError    a file has no single meaning
    UsageError    options that make no sense, or no joint of that name
    """
    chosen = replace(options or CompareOptions(), **{**changes, "simulate": False})
    if prediction is None:
        truth = read_prediction(ground_truth, chosen, read).object
    else:
        truth = ground_truth if isinstance(ground_truth, ArticulatedObject) else load(ground_truth, read)
    settings = {name: value for name, value in chosen.settings().items() if name in _SHOWN}
    fields: dict[str, Any] = {"ground_truth": truth.file}
    files = [truth.file]
    warnings: list[AssetWarning] = [*truth.all_warnings]
    if prediction is None:
        shown = placed(truth, chosen.frame.origin)
        scene = single_scene(shown, chosen.alpha, chosen.kappa)
    else:
        found = compare_joints(truth, read_prediction(prediction, chosen, read), chosen)
        scene, shown = overlaid_scene(found), found.ground_truth
        warnings += found.warnings
        files.append(found.prediction.file)
        fields |= {"prediction": found.prediction.file, "applied": found.applied}
    row = _row(scene, joint)
    settings |= {"joint": joint, **read_settings(truth.options), "inputs": input_hashes(files)}
    fields["joints"] = [
        {
            "ground_truth": _name(listed, TRUTH),
            "prediction": _name(listed, PREDICTION),
            **listed.numbers,
            "sentence": listed.sentence,
            "remarks": listed.remarks,
        }
        for listed in scene.joints
    ]
    about = result("view", settings, warnings, fields, origin=chosen.frame.origin, shift=shown.shift)
    return View(scene, plain(about), row)


def _name(listed: ShownJoint, side: str) -> str | None:
    return listed.sides[side].joint.name if side in listed.sides else None


def _row(scene: Scene, name: str | None) -> int | None:
    """The row to look at first: that of the joint of that name, else the one with the largest error."""
    if name is None:
        return 0 if scene.joints else None
    for side in (TRUTH, PREDICTION):
        for row, listed in enumerate(scene.joints):
            if _name(listed, side) == name:
                return row
    known = ", ".join(shown.name for shown in scene.joints[:20]) or "none"
    raise UsageError(f"--joint: no movable joint {name!r}; there are: {known}")
