"""The viewer's page in a real browser: silence, sliders that move the parts, what is saved, and no WebGL."""

from __future__ import annotations

import base64
import io

import numpy as np
import pytest
from numpy.testing import assert_allclose
from PIL import Image
from wrong_cabinet import CABINET, wrong_cabinet

import simcheck

pytestmark = pytest.mark.browser
PAIRS = 4


@pytest.fixture(scope="module")
def overlaid(tmp_path_factory):
    return simcheck.view(CABINET, wrong_cabinet(tmp_path_factory.mktemp("pair")))


@pytest.fixture(scope="module")
def page(overlaid, tmp_path_factory):
    return overlaid.save(tmp_path_factory.mktemp("view") / "pair.html")


@pytest.fixture
def opened(browser, page):
    browser.open(page)
    return browser


def state(browser) -> dict:
    return browser.run("return simcheck.state()")


def pixels(browser) -> np.ndarray:
    data = browser.run("return simcheck.png()").split(",")[1]
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB")).astype(int)


def card(browser, row: int, selector: str):
    return browser.run("return document.querySelector(`[data-row='${arguments[0]}'] ${arguments[1]}`)", row, selector)


def test_it_loads_in_silence(opened, screenshots):
    assert opened.run("return document.body.dataset.ready") == "drawn"
    opened.screenshot(screenshots / "viewer-light.png", 1300, 860)
    with opened.appearance(prefers_color_scheme="dark"):
        opened.screenshot(screenshots / "viewer-dark.png", 1300, 860)
        dark = pixels(opened)
    opened.settle()
    assert dark[0, -1].sum() < 150 < pixels(opened)[0, -1].sum()
    opened.screenshot(screenshots / "viewer-narrow.png", 420)
    opened.print_pdf(screenshots / "viewer.pdf")
    assert opened.console() == []
    assert opened.requests() == []


def test_a_slider_moves_both_parts_where_the_program_says(opened, overlaid):
    """A person's key on the slider; every link of both objects and the distance apart, to 1e-9 of the size."""
    from selenium.webdriver.common.keys import Keys

    before = pixels(opened)
    row = 1
    slider = card(opened, row, "input")
    slider.send_keys(Keys.HOME)
    for key in (Keys.END, Keys.PAGE_DOWN, Keys.ARROW_LEFT):
        slider.send_keys(key)
        shown = state(opened)
        fractions = {k: f for k, f in enumerate(shown["fractions"]) if f is not None}
        assert shown["row"] == row
        for side, ours in overlaid.scene.placements(fractions).items():
            for link, placement in ours.items():
                assert_allclose(np.reshape(shown["placements"][side][link], (3, 4)), placement[:3], atol=1e-12)
                pose = placement @ overlaid.scene.objects[side].links[link].pose
                assert_allclose(np.reshape(shown["poses"][side][link], (3, 4)), pose[:3], atol=1e-12)
        assert shown["apart"][row] == pytest.approx(overlaid.scene.apart(row, fractions), abs=1e-12)
        points = np.array(shown["points"])
        assert points.shape == (2, 6, 3)
        assert np.sqrt(np.mean(np.sum((points[0] - points[1]) ** 2, axis=-1))) == pytest.approx(
            shown["apart"][row], abs=1e-12
        )
    assert 0 < shown["fractions"][row] < 1
    assert np.mean(np.any(pixels(opened) != before, axis=-1)) > 0.01


def test_what_is_drawn_stands_where_the_state_says(opened):
    """The drawing's own matrices, in units of the size about the centre, against the state."""
    found = opened.run("""
        simcheck.set(0, 0.5);
        const { data, links } = simcheck.drawing(), s = simcheck.state().placements, out = [];
        const { centre, size } = data;
        for (const [side, object] of Object.entries(data.objects))
          object.links.forEach(({ name }, i) =>
            out.push([links[side][i].matrix.elements, s[side][name], centre, size]));
        return out;""")
    for elements, placement, centre, size in found:
        drawn, ours = np.reshape(elements, (4, 4)).T, np.reshape(placement, (3, 4))
        point = np.array([0.3, -0.2, 0.9])
        there = drawn[:3, :3] @ ((point - centre) / size) + drawn[:3, 3]
        assert_allclose(there * size + centre, ours[:, :3] @ point + ours[:, 3], atol=1e-12)


def test_the_numbers_and_the_sentence_are_those_of_the_program(opened, overlaid):
    for row, shown in enumerate(overlaid.scene.joints):
        cells = opened.run("return [...document.querySelectorAll(`[data-row='${arguments[0]}'] dd`)]", row)
        numbers = [float(cell.get_attribute("textContent").split()[0]) for cell in cells]
        assert numbers == pytest.approx([shown.numbers[n] for n in ("E_B", "d", "E_alpha", "E_alpha_phi")], rel=1e-3)
        assert card(opened, row, ".sentence").get_attribute("textContent") == shown.sentence


def test_rest_puts_everything_back(opened, overlaid):
    opened.run("for (let k = 0; k < 4; k++) simcheck.set(k, 0.8); document.getElementById('rest').click()")
    shown = state(opened)
    assert shown["fractions"] == [None] * PAIRS
    for links in shown["placements"].values():
        for placement in links.values():
            assert_allclose(np.reshape(placement, (3, 4)), np.eye(4)[:3], atol=0)


def test_the_list_is_sorted_by_error_and_by_name(opened, overlaid):
    order = "return [...document.querySelectorAll('.card .name')].map(x => x.textContent)"
    names = [row.name for row in overlaid.scene.joints]
    assert opened.run(order) == names
    change = "const s = document.getElementById('sort'); s.value = arguments[0]; s.dispatchEvent(new Event('change'))"
    opened.run(change, "name")
    assert opened.run(order) == sorted(names)
    opened.run(change, "")
    assert opened.run(order) == names


def test_play_moves_and_stops(opened):
    opened.run("simcheck.select(0)")
    click = "document.getElementById('play').click()"
    opened.run(click)
    opened.driver.execute_async_script("setTimeout(arguments[0], 400)")
    first = state(opened)
    opened.driver.execute_async_script("setTimeout(arguments[0], 400)")
    second = state(opened)
    assert first["playing"]
    assert first["fractions"][0] != second["fractions"][0]
    opened.run(click)
    assert not state(opened)["playing"]


def test_the_picture_is_saved(opened):
    folder = opened.folder / "downloads"
    for old in folder.glob("*.png"):
        old.unlink()
    opened.run("simcheck.select(0); document.getElementById('save').click()")
    for _ in range(100):
        found = list(folder.glob("*.png"))
        if found:
            break
        opened.driver.execute_async_script("setTimeout(arguments[0], 50)")
    (saved,) = found
    assert saved.name == "cabinet_hinge_left.png"
    assert Image.open(saved).format == "PNG"


def test_without_webgl_there_is_the_picture_and_the_sliders_still_count(browser, page, overlaid, screenshots):
    script = "HTMLCanvasElement.prototype.getContext = () => null"
    number = browser.command("Page.addScriptToEvaluateOnNewDocument", source=script)["identifier"]
    try:
        browser.open(page)
        assert browser.run("return document.body.dataset.ready") == "flat"
        browser.screenshot(screenshots / "viewer-without-webgl.png", 1300, 860)
        assert (
            browser.run("const i = document.querySelector('#flat img'); return i.checkVisibility() && i.naturalWidth")
            == 640
        )
        browser.run("simcheck.set(0, 0.25)")
        assert state(browser)["apart"][0] == pytest.approx(overlaid.scene.apart(0, {0: 0.25}), abs=1e-12)
        assert browser.console() == []
    finally:
        browser.command("Page.removeScriptToEvaluateOnNewDocument", identifier=number)


def test_a_robot_with_meshes_is_drawn(browser, tmp_path, screenshots):
    """Sixty-odd meshes of STL and DAE files; the page names what it thinned."""
    pybullet_data = pytest.importorskip("pybullet_data")
    shown = simcheck.view(f"{pybullet_data.getDataPath()}/a1/a1.urdf")
    browser.open(shown.save(tmp_path / "robot.html"))
    browser.screenshot(screenshots / "viewer-robot.png", 1300, 860)
    assert browser.console() == []
    assert len(np.unique(pixels(browser).reshape(-1, 3), axis=0)) > 500
