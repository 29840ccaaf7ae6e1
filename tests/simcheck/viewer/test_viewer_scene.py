"""What the viewer shows, without a browser: rows, placements, pictures, films, and the command."""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import subprocess
import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose
from PIL import Image
from urdf_and_command import TESTS, joint, robot, run
from wrong_cabinet import CABINET, wrong_cabinet

import simcheck
from metric import exp
from simcheck.asset.decimation import decimated
from simcheck.report.template import static
from simcheck.viewer.geometry import gather
from simcheck.viewer.scene import placements


@pytest.fixture(scope="module")
def overlaid(tmp_path_factory):
    return simcheck.view(CABINET, wrong_cabinet(tmp_path_factory.mktemp("pair")))


def page_data(html: str) -> dict:
    return json.loads(html.split('<script type="application/json" id="scene">')[1].split("</script>")[0])


def test_rows_are_those_of_compare_by_error(overlaid):
    compared = simcheck.compare(overlaid.result["ground_truth"], overlaid.result["prediction"], simulate=False)
    by_name = {entry["ground_truth"]: entry for entry in compared["joints"]}
    errors = [row.numbers["E_B"] for row in overlaid.scene.joints]
    assert errors == sorted(errors, reverse=True)
    assert len(overlaid.result["joints"]) == len(by_name)
    for shown in overlaid.result["joints"]:
        entry = by_name[shown["ground_truth"]]
        assert {name: shown[name] for name in ("E_B", "d", "E_alpha", "E_alpha_phi")} == {
            name: entry[name] for name in ("E_B", "d", "E_alpha", "E_alpha_phi")
        }
        assert shown["sentence"] == entry["explanation"]["sentence"]


def test_the_ends_of_the_slider_are_what_d_sums(overlaid):
    """d^2 is the sum over both ends, and the slider pairs the ends as d does, exchanged limits included."""
    for k, row in enumerate(overlaid.scene.joints):
        ends = [overlaid.scene.apart(k, {k: fraction}) for fraction in (0.0, 1.0)]
        assert_allclose(np.hypot(*ends), row.numbers["d"], atol=1e-12)


def test_placements_are_products_of_exponentials_down_the_chain(write):
    """Two turning joints in a row, both off rest."""
    path = write(robot(joint("p", "revolute", "a", "b", xyz="1 0 0"), joint("q", "revolute", "b", "c", xyz="0 1 0")))
    obj = simcheck.load(path)
    found = placements(obj, {"p": 0.3, "q": -0.4})
    first, second = (j.screw for j in obj.movable_joints)
    assert_allclose(found["c"], exp(0.3 * first) @ exp(-0.4 * second), atol=1e-15)
    assert_allclose(found["a"], np.eye(4), atol=0)


def test_a_missing_and_a_spurious_joint_have_rows(write):
    truth = write(robot(joint("p", "revolute", "a", "b"), joint("q", "prismatic", "a", "c")), "gt.urdf")
    guess = write(robot(joint("p", "revolute", "a", "b")), "pred.urdf")
    rows = simcheck.view(truth, guess).scene.joints
    alone = next(row for row in rows if row.name == "q")
    assert set(alone.sides) == {"truth"}
    assert "missing" in alone.sentence
    rows = simcheck.view(guess, truth).scene.joints
    assert "not in the truth" in next(row for row in rows if row.name == "q").sentence


def test_a_missing_prediction_of_a_joint_is_compared_with_where_it_would_stay(write):
    truth = write(robot(joint("q", "prismatic", "a", "b", limit='lower="0" upper="0.5"')), "gt.urdf")
    scene = simcheck.view(truth).scene
    assert scene.apart(0, {0: 1.0}) == pytest.approx(0.5, abs=1e-15)
    assert scene.apart(0, {0: 0.0}) == 0.0


@pytest.mark.parametrize(("name", "kind"), [("x.png", "PNG"), ("x.gif", "GIF")])
def test_pictures_need_no_browser(tmp_path, write, name, kind):
    path = simcheck.view("urdfs/containers/jar.urdf" if kind == "PNG" else CABINET).save(tmp_path / "new" / name)
    image = Image.open(path)
    assert image.format == kind
    if kind == "GIF":
        frames = [np.asarray(image.convert("RGB")) for k in range(image.n_frames) if image.seek(k) is None]
        assert len(frames) > 10
        assert (frames[0] != frames[len(frames) // 2]).any()
    else:
        assert len(image.getcolors(1 << 20)) > 50


def test_an_object_without_joints_or_geometry_has_a_page(write):
    path = write('<robot name="r"><link name="only"/></robot>')
    shown = simcheck.view(path)
    assert "No movable joint" in shown.html
    assert page_data(shown.html)["rows"] == []


def test_other_formats_are_shown():
    """A list of joints without any geometry, alone and over itself."""
    path = TESTS / "simcheck" / "formats" / "golden" / "partnet_mobility.json"
    alone, overlaid = simcheck.view(path), simcheck.view(CABINET, path)
    assert [row.name for row in alone.scene.joints]
    assert "has no geometry that can be shown" in alone.html
    assert overlaid.result["applied"]["format"] == "partnet_mobility"
    assert page_data(overlaid.html)["ghost"] == "truth"


def test_names_cannot_leave_their_place(write):
    evil = "&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;"
    shown = simcheck.view(write(robot(joint(evil, "revolute", "a", "b"), name=evil)))
    assert "<img src=x" not in shown.html
    assert page_data(shown.html)["rows"][0]["name"] == "</script><img src=x onerror=alert(1)>"


def test_same_input_same_bytes(overlaid):
    again = simcheck.view(overlaid.result["ground_truth"], overlaid.result["prediction"])
    assert again.html == overlaid.html


def test_too_many_triangles_are_thinned_and_said():
    obj = simcheck.load("urdfs/containers/jar.urdf")
    few = gather({"truth": obj}, most=60)
    assert sum(len(faces) for faces in few.faces) <= 60
    assert few.decimated
    assert not gather({"truth": obj}).decimated


def test_decimation_keeps_the_box_and_the_count():
    t = np.linspace(0, 2 * np.pi, 101)[:-1]
    ring = np.stack([np.cos(t), np.sin(t), 0 * t], axis=1)
    vertices = np.concatenate([ring * [1, 1, 0] + [0, 0, z] for z in np.linspace(0, 1, 50)])
    k = np.arange(4900)
    right = k // 100 * 100 + (k + 1) % 100
    faces = np.concatenate([np.stack([k, right, k + 100], axis=1), np.stack([right, right + 100, k + 100], axis=1)])
    fewer, kept = decimated(vertices, faces, 1000)
    assert 300 < len(kept) <= 1000
    assert_allclose(np.ptp(fewer, axis=0), [2, 2, 1], atol=0.15)


def test_the_library_in_the_page_is_the_one_recorded_and_carries_its_licence(overlaid):
    library = static("three.min.js", "simcheck.viewer")
    assert hashlib.sha256(library.encode()).hexdigest() in static("three.VENDORED.md", "simcheck.viewer")
    assert library in overlaid.html
    assert static("three.LICENSE", "simcheck.viewer") in overlaid.html


def test_in_a_notebook_it_shows_itself(overlaid):
    shown = overlaid._repr_html_()
    assert shown.startswith("<iframe")
    assert "sandbox" in shown
    assert "<script" not in shown  # escaped into the attribute


@pytest.mark.skipif(shutil.which("node") is None, reason="no node: the browser's test says the same")
def test_the_scripts_put_links_where_the_program_does(overlaid):
    """`motion.js` against `scene.placements`, every link and the distance apart, to 1e-9 of the size."""
    data = page_data(overlaid.html)
    code = (
        static("motion.js", "simcheck.viewer")
        + """
const { data, fractions } = JSON.parse(require("fs").readFileSync(0, "utf8"));
const found = fractions.map((fraction) => {
  const where = {};
  for (const [side, object] of Object.entries(data.objects)) {
    const sides = data.rows.map((r) => r.sides[side]).filter((s) => s);
    const at = new Map(sides.map(({ joint, interval: [a, b] }) => [joint, (1 - fraction) * a + fraction * b]));
    where[side] = motion.placements(object.links, (joint) => at.get(joint) ?? 0);
  }
  const place = ([side, link]) => where[side][link];
  const apart = data.rows.map((r) => motion.apart(place(r.frames.truth), place(r.frames.prediction), r.body));
  return { where, apart };
});
console.log(JSON.stringify(found));
"""
    )
    fractions = [0.0, 1e-9, 0.37, 1.0]
    text = json.dumps({"data": data, "fractions": fractions})
    done = subprocess.run(["node", "-e", code], input=text, capture_output=True, text=True, check=True)
    scene = overlaid.scene
    for fraction, found in zip(fractions, json.loads(done.stdout), strict=True):
        everywhere = dict.fromkeys(range(len(scene.joints)), fraction)
        for side, ours in scene.placements(everywhere).items():
            for link, theirs in zip(data["objects"][side]["links"], found["where"][side], strict=True):
                assert_allclose(np.reshape(theirs, (3, 4)), ours[link["name"]][:3], atol=1e-12)
        assert_allclose(found["apart"], [scene.apart(k, everywhere) for k in range(len(scene.joints))], atol=1e-12)


def test_the_command_writes_and_says_where(tmp_path):
    ran = run("view", CABINET, "--export", tmp_path / "a.png", "--joint", "hinge_left", "--json")
    assert ran.code == 0
    assert ran.json["settings"]["joint"] == "hinge_left"
    assert ran.json["command"] == "view"
    assert Image.open(io.BytesIO((tmp_path / "a.png").read_bytes())).size == (960, 720)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is always a display")
def test_without_a_display_the_page_is_written_and_named(tmp_path):
    env = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    ran = run("view", CABINET, env={**env, "TMPDIR": str(tmp_path)})
    assert ran.code == 0
    assert "no browser to open here" in ran.err
    (page,) = tmp_path.rglob("cabinet.html")
    assert f"Page: {page}" in ran.out
    assert "slide_left" in ran.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((CABINET, "--export", "a.pdf"), ".html, .png, .gif"),
        ((CABINET, "--export", "/dev/null/a.html"), "cannot be written"),
        ((CABINET, "--joint", "nobody"), "hinge_left"),
        (("nowhere.urdf", "--export", "a.html"), "nowhere.urdf"),
        ((CABINET, "nowhere.urdf", "--export", "a.html"), "nowhere.urdf"),
    ],
)
def test_what_cannot_be_is_2(arguments, words, tmp_path):
    ran = run("view", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err
