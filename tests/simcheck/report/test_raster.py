"""The z-buffer: what is in front, what is covered, what is blended, by pixels whose value can be said beforehand."""

from __future__ import annotations

import io

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from PIL import Image
from shapes import box

from simcheck.report.camera import Camera
from simcheck.report.images import gif_bytes, png_bytes
from simcheck.report.raster import Line, Mesh, bounding_box, render
from simcheck.report.zbuffer import rasterise

RED, GREEN, BLUE, WHITE = "#ff0000", "#00ff00", "#0000ff", "#ffffff"
SIZE = (80, 60)


def plate(x: float, colour: str, half: float = 1.0, y: float = 0.0, **options) -> Mesh:
    """A square across the view of `camera`, at depth 10 - x."""
    corners = [[x, y + a * half, b * half] for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    return Mesh(corners, [[0, 1, 2], [0, 2, 3]], colour, **options)


@pytest.fixture
def camera() -> Camera:
    return Camera(eye=(10, 0, 0), target=(0, 0, 0), field_of_view=0.5)


def hue(pixel) -> str:
    return "rgb"[int(np.argmax(pixel[:3]))]


def test_the_nearer_surface_is_seen_whatever_the_order(camera):
    near, far = plate(1, RED, 0.5), plate(0, GREEN)
    for meshes in ([near, far], [far, near]):
        image = render(meshes, [], camera, SIZE)
        assert hue(image[30, 40]) == "r"
        assert hue(image[30, 48]) == "g"
        assert_array_equal(image[2, 2], 0)


def test_crossing_surfaces_are_cut_where_they_cross(camera):
    slanted = Mesh([[-2, -2, -2], [2, 2, -2], [2, 2, 2], [-2, -2, 2]], [[0, 1, 2], [0, 2, 3]], RED)
    image = render([slanted, plate(0, GREEN, 2)], [], camera, SIZE)
    row = "".join(hue(pixel) if pixel[3] else " " for pixel in image[30])
    assert set(row.strip()) == {"g", "r"}
    assert row.strip() == row.count("g") * "g" + row.count("r") * "r"
    assert row.index("r") in (40, 41)  # y = 0 is where they cross, the middle of the picture


def test_both_windings_look_the_same(camera):
    mesh = box((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5), RED)
    other = Mesh(mesh.vertices, np.asarray(mesh.faces)[:, ::-1], RED)
    assert_array_equal(render([mesh], [], camera, SIZE), render([other], [], camera, SIZE))


def test_faces_of_a_box_are_told_apart():
    camera = Camera.looking_at([[-1] * 3, [1] * 3], (-1, -0.6, -0.5))
    image = render([box((-1, -1, -1), (1, 1, 1), "#cccccc")], [], camera, (160, 120))
    shades, count = np.unique(image[image[..., 3] == 255][:, 0], return_counts=True)
    assert len(shades[count > 300]) == 3
    assert np.min(np.diff(shades[count > 300].astype(int))) > 8


def test_a_ghost_is_blended_once_however_many_layers_it_has(camera):
    one = render([plate(0, WHITE, 3), plate(1, RED, 0.5, ghost=True)], [], camera, SIZE)
    layers = [plate(1 + k / 10, RED, 0.5, ghost=True) for k in range(4)]
    many = render([plate(0, WHITE, 3), *layers[::-1]], [], camera, SIZE)
    assert_array_equal(one[30, 40], many[30, 40])
    assert one[30, 40][0] > one[30, 40][1] + 50 > 100  # red over white, both to be seen


def test_a_ghost_behind_a_solid_or_on_it_is_not_seen(camera):
    alone = render([plate(1, GREEN, 0.5)], [], camera, SIZE)
    for x in (1.0, 0.5):
        assert_array_equal(render([plate(1, GREEN, 0.5), plate(x, RED, 0.4, ghost=True)], [], camera, SIZE), alone)


def test_coverage_is_that_of_the_surface(camera):
    image = render([plate(0, RED, 1.01)], [], camera, (320, 240))
    coverage = image[..., 3] / 255
    side = 2 * 1.01 / 10 * 120 / np.tan(0.25)
    assert_allclose(coverage.sum(), side**2, rtol=0.01)
    assert set(np.unique(image[..., 3])) <= {0, 64, 128, 191, 255}
    assert_array_equal(image[coverage == 0], 0)
    edge = image[(coverage > 0) & (coverage < 1)]
    assert np.all(edge[:, 1:3] == 0)  # no ground shines through: the colour is the surface's own


def test_a_background_fills_the_ground(camera):
    image = render([plate(0, RED, 0.5)], [], camera, SIZE, background="#204060")
    assert np.all(image[..., 3] == 255)
    assert_array_equal(image[0, 0], [0x20, 0x40, 0x60, 255])
    assert hue(image[30, 40]) == "r"


def test_a_line_has_its_width_on_the_screen_at_any_depth(camera):
    for x in (-20, 0, 5):
        reach = 0.5 * (10 - x) / 10
        image = render([], [Line([[x, -reach, 0], [x, reach, 0]], BLUE, 4)], camera, SIZE)
        assert_allclose(image[:, 40, 3].sum() / 255, 4, atol=0.01)
        assert hue(image[30, 40]) == "b"


def test_hidden_parts_of_a_line_are_paler(camera):
    line = Line([[0, -1.2, 0], [0, 1.2, 0]], BLUE, 4)
    image = render([plate(1, WHITE, 0.5)], [line], camera, SIZE)
    hidden, seen = image[30, 40], image[30, 40 + 12]
    assert_array_equal(seen, [0, 0, 255, 255])
    assert hidden[2] > hidden[0] + 20
    assert hidden[0] > 100


def test_later_lines_lie_on_top(camera):
    below = Line([[0.5, -1, 0], [0.5, 1, 0]], BLUE, 8)
    above = Line([[0, -1, 0], [0, 1, 0]], RED, 2)
    column = render([], [below, above], camera, SIZE)[:, 40]
    assert hue(column[30]) == "r"
    assert hue(column[27]) == hue(column[32]) == "b"


def test_an_arrow_ends_at_its_point_and_is_wider_there(camera):
    line = Line([[0, -1, 0], [0, 1, 0]], BLUE, 2, arrow=True)
    plain = render([], [Line(line.points, BLUE, 2)], camera, SIZE)[..., 3].sum(axis=0) / 255
    arrow = render([], [line], camera, SIZE)[..., 3].sum(axis=0) / 255
    (used,) = np.nonzero(plain)
    assert np.nonzero(arrow)[0][-1] in (used[-1], used[-1] - 1)
    assert arrow.max() > 5
    assert 42 <= np.argmax(arrow) <= 44  # the head is 4.5 widths long and ends at 51.7
    assert_allclose(arrow[30:42], 2, atol=0.01)


def test_finely_sampled_arcs_have_whole_arrowheads(camera):
    angle = np.linspace(0, 1.5, 200)
    arc = np.stack([np.zeros(200), np.cos(angle), np.sin(angle)], axis=1)
    bare = render([], [Line(arc, BLUE, 2)], camera, SIZE)
    arrow = render([], [Line(arc, BLUE, 2, arrow=True)], camera, SIZE)
    assert (arrow[..., 3].astype(int) - bare[..., 3]).clip(0).sum() / 255 > 10


@pytest.mark.parametrize("points", [[[0, 0, 0]], [[0, 0, 0], [0, 0, 0]], [[20, 0, 0], [30, 0, 0]], np.empty((0, 3))])
def test_lines_that_cannot_be_seen_leave_no_trace(camera, points):
    assert not render([], [Line(points, RED, 3, arrow=True)], camera, SIZE).any()


def test_what_is_behind_the_eye_or_flat_is_not_drawn(camera):
    flat = Mesh([[0, 0, 0], [0, 1, 1], [0, 2, 2]], [[0, 1, 2], [0, 0, 1]], RED)
    assert not render([plate(11, RED), flat], [], camera, SIZE).any()
    assert not render([], [], camera, SIZE).any()


@pytest.mark.parametrize("direction", [(-1, 0.3, -0.4), (-0.3, 0.1, -0.9), (0, 0, -1), (0, 0, 1), (3, 0, 0)])
@pytest.mark.parametrize("size", [(120, 90), (60, 90), (160, 40)])
def test_a_camera_sees_the_whole_box_and_little_else(direction, size):
    low, high = np.array([1.0, 2, 3]), np.array([1.5, 2.2, 4])
    camera = Camera.looking_at([low, high], direction, aspect=size[0] / size[1])
    corners = np.array(np.meshgrid(*zip(low, high, strict=True))).reshape(3, -1).T
    screen, inverse = camera.project(corners, *size)
    assert np.all(inverse > 0)
    share = np.ptp(screen, axis=0) / size
    assert np.all(screen >= 0)
    assert np.all(screen <= size)
    assert share.max() > 0.75
    middle = (screen.min(axis=0) + screen.max(axis=0)) / 2 / size
    assert_allclose(middle[np.argmax(share)], 0.5, atol=0.006)
    assert_allclose(middle, 0.5, atol=0.05)


def test_nothing_and_a_single_point_have_a_box_and_a_camera():
    assert_array_equal(bounding_box([]), [[-0.5] * 3, [0.5] * 3])
    line = Line([[1, 2, 3]], RED, 1)
    assert_array_equal(bounding_box([], [line]), [[1, 2, 3]] * 2)
    camera = Camera.looking_at(bounding_box([], [line]), (1, 0, 0))
    assert np.isfinite(camera.project(np.array([1.0, 2, 3]), 10, 10)[0]).all()


def test_rasterising_agrees_with_testing_every_sample():
    """Independent reference: barycentric coordinates at every sample, one triangle after the other."""
    rng = np.random.default_rng(2)
    width, height = 37, 29
    screen = rng.uniform(-10, 45, (60, 3, 2))
    inverse = rng.uniform(0.1, 1, (60, 3))
    front, owner = rasterise(screen, inverse, width, height)
    x, y = (a.ravel() + 0.5 for a in np.meshgrid(np.arange(width), np.arange(height)))
    best, first = np.zeros(width * height), np.full(width * height, -1)
    for t, (corners, z) in enumerate(zip(screen, inverse, strict=True)):
        weights = np.linalg.solve(np.vstack([corners.T, np.ones(3)]), np.stack([x, y, np.ones_like(x)]))
        depth = np.where((weights >= 0).all(axis=0), z @ weights, 0)
        first = np.where(depth > best, t, first)
        best = np.maximum(best, depth)
    assert_array_equal(owner, first)
    assert_allclose(front, best, atol=1e-9)


def test_a_sliver_does_not_come_forward():
    """A triangle of almost no width: its plane is all rounding, its corners are not."""
    sliver = np.array([[[1000.5, 8.404931249], [1000.5000000000002, 19.140012335], [1000.4999999999998, 4.749923118]]])
    depth = np.array([[0.91755, 0.31458, 0.15984]])
    front, owner = rasterise(sliver, depth, 1100, 30)
    assert (owner == 0).any()
    assert np.all((front == 0) | ((front >= depth.min()) & (front <= depth.max())))


def test_a_png_holds_every_pixel_and_is_repeatable(camera):
    image = render([box((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5), "#8080c0")], [], camera, SIZE)
    data = png_bytes(image)
    assert_array_equal(np.asarray(Image.open(io.BytesIO(data))), image)
    assert data == png_bytes(image)
    assert b"tEXt" not in data


def test_a_palette_of_32_colours_is_close_and_keeps_the_coverage():
    camera = Camera.looking_at([[-1] * 3, [1] * 3], (-1, -0.6, -0.5))
    ghost = box((-0.2, -1.2, -0.2), (1.2, 0.8, 0.6), "#e07030", ghost=True)
    image = render([box((-1, -1, -1), (1, 1, 1), "#a0a8b0"), ghost], [], camera, (160, 120))
    data = png_bytes(image, 32)
    picture = Image.open(io.BytesIO(data))
    assert picture.mode == "P"
    read = np.asarray(picture.convert("RGBA")).astype(int)
    assert len(np.unique(read.reshape(-1, 4), axis=0)) <= 32
    cover = image[..., 3:] / 255
    assert np.mean(np.abs(read[..., :3] - image[..., :3].astype(int)) * cover) < 1.5
    assert np.mean(np.abs(read[..., 3] - image[..., 3].astype(int))) < 1.5
    assert len(data) < 0.6 * len(png_bytes(image))
    assert data == png_bytes(image, 32)


def test_pictures_of_few_colours_keep_them_exactly():
    image = np.zeros((4, 4, 4), dtype=np.uint8)
    image[1:3, 1:3] = [200, 100, 50, 255]
    image[0, 0] = [0, 0, 255, 128]
    read = np.asarray(Image.open(io.BytesIO(png_bytes(image, 32))).convert("RGBA")).astype(int)
    assert_allclose(read, image, atol=1)


def test_a_film_keeps_its_pictures_and_their_time(camera):
    images = [render([plate(0, RED, 0.3, y)], [], camera, SIZE, background=WHITE) for y in (-1.0, 0.0, 1.0)]
    data = gif_bytes(images, seconds=0.1)
    film = Image.open(io.BytesIO(data))
    assert (film.n_frames, film.info["loop"], film.info["duration"]) == (3, 0, 100)
    for i, image in enumerate(images):
        film.seek(i)
        assert_allclose(np.asarray(film.convert("RGB")).astype(int), image[..., :3], atol=12)
    assert data == gif_bytes(images, seconds=0.1)


def test_a_colour_that_is_none_is_refused(camera):
    with pytest.raises(ValueError, match="colour: expected #rrggbb, got 'red'"):
        render([plate(0, "red")], [], camera, SIZE)
