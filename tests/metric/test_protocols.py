"""Published component protocols: the values measured on their public code, and what `corrected` corrects."""

from __future__ import annotations

import math

import inputs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from metric import Joint, component_errors
from metric.protocols import MODES, PROTOCOLS, ditto
from metric.protocols.geometry import relative_angle, rotation_matrix
from metric.quantities import QUANTITIES

DOOR = Joint("revolute", axis=(0, 0, 1), origin=(1, 0, 0), lower=0.0, upper=1.0)
Z = (0.0, 0.0, 1.0)


def hinge(axis=Z, origin=(0, 0, 0), lower=0.0, upper=1.0):
    return Joint("revolute", tuple(np.array(axis) / np.linalg.norm(axis)), origin, lower, upper)


def errors(truth, prediction, protocol, mode="as_published", **options):
    return component_errors(ground_truth=truth, prediction=prediction, protocol=protocol, mode=mode, **options)


def random_hinges(rng, n=2000):
    axes = rng.normal(size=(n, 3))
    limits = np.sort(rng.normal(size=(n, 2)))
    return [hinge(axis, (0, 0, 0), lower, upper) for axis, (lower, upper) in zip(axes, limits, strict=True)]


# ------------------------------------------------------------------- parallel hinges 1 m apart, offset along x and y

PARALLEL = {
    "ditto": (1, 1),
    "paris": (0, 0),
    "digital_twin_art": (10, 10),
    "artgs": (10, 10),
    "real2code": (0, 1),
    "articulate_anything": (0, 1),
    "template": (math.nan, math.nan),
    "opd": (0.5, 0.5),
}


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_parallel_hinges_one_metre_apart(protocol):
    options = {"diagonal": 2.0} if protocol == "opd" else {}
    for offset, expected in zip([(1, 0, 0), (0, 1, 0)], PARALLEL[protocol], strict=True):
        published = errors(hinge(), hinge(origin=offset), protocol, **options)
        assert_allclose(published.origin, expected, atol=1e-12)
        corrected = errors(hinge(), hinge(origin=offset), protocol, "corrected", **options)
        if protocol != "template":
            assert_allclose(corrected.origin, 0.5 if protocol == "opd" else 1.0, rtol=1e-14)
        else:
            assert corrected.reason("origin") == "the axes are parallel"
            assert corrected.origin_line == 1.0


# ------------------------------------------------------------------- Ditto


def test_ditto_flipped_axis_on_the_same_line():
    flipped = hinge(axis=(0, 0, -1), origin=(1, 0, 0))
    assert errors(DOOR, flipped, "ditto").origin == 2.0
    assert errors(DOOR, flipped, "ditto", "corrected").origin == 0.0


def test_ditto_branch_switch_at_a_thousandth_of_a_radian():
    for tilt, expected in ((0.9e-3, 1.0), (1.1e-3, 0.0)):
        tilted = hinge(axis=(math.sin(tilt), 0, math.cos(tilt)), origin=(1, 0, 0))
        assert_allclose(errors(hinge(), tilted, "ditto").origin, expected, atol=1e-3)


def test_ditto_median_axis_is_not_normalised():
    votes = [
        [math.sin(t) * x, math.sin(t) * y, math.cos(t)] for t in (0.3,) for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))
    ]
    axis = ditto.median_axis(votes, "revolute", "as_published")
    assert_allclose(np.linalg.norm(axis), 0.955336489, rtol=1e-9)
    assert_allclose(ditto.axis_error(axis, Z, "revolute", "as_published"), 17.188733854, rtol=1e-10)
    assert ditto.axis_error(ditto.median_axis(votes, "revolute"), Z, "revolute") == 0.0
    assert_allclose(ditto.median_axis(votes, "prismatic", "as_published"), [0, 0, math.cos(0.3)], atol=1e-16)


def test_ditto_prismatic_axis_in_radians():
    slide, tilted = Joint("prismatic", axis=(1, 0, 0), upper=1), Joint("prismatic", axis=(0, 1, 0), upper=1)
    assert_allclose(errors(slide, tilted, "ditto").axis, math.pi / 2)
    assert_allclose(errors(slide, tilted, "ditto", "corrected").axis, 90)


def test_ditto_states():
    wider = hinge(origin=(1, 0, 0), upper=1.5)
    assert_allclose(errors(DOOR, wider, "ditto").rotation, math.degrees(0.5))
    assert math.isnan(errors(DOOR, wider, "ditto").translation)
    opposite = hinge(axis=(0, 0, -1), origin=(1, 0, 0), upper=1.5)
    assert_allclose(errors(DOOR, opposite, "ditto").rotation, math.degrees(2.5))


# ------------------------------------------------------------------- arccos without clamping


@pytest.mark.parametrize("protocol", ["ditto", "paris", "digital_twin_art", "artgs"])
def test_perfect_axes_are_not_numbers_as_published(rng, protocol):
    """A fifth to a half of random axes, counted on the public code; how many depends on the order of a sum."""
    joints = random_hinges(rng)
    published, corrected = (errors(joints, joints, protocol, mode) for mode in ("as_published", "corrected"))
    assert 0.1 < np.isnan(published.axis).mean() < 0.6
    assert published.undefined["axis"] == np.isnan(published.axis).sum()
    assert set(published.reason("axis")) == {"", "not a finite number as published"}
    assert (corrected.axis < 1e-13).all()
    assert corrected.undefined["axis"] == 0


# ------------------------------------------------------------------- PARIS, DigitalTwinArt, ArtGS


@pytest.mark.parametrize("protocol", ["paris", "digital_twin_art", "artgs"])
def test_rotations_and_translations_between_states(protocol):
    rng = np.random.default_rng(3)
    for _ in range(20):
        a, b = (hinge(rng.normal(size=3), tuple(rng.normal(size=3)), 0, rng.uniform(0.1, 3)) for _ in range(2))
        turns = [np.array(j.axis) * j.upper for j in (a, b)]
        matrix = rotation_matrix(turns[0][None])[0] @ rotation_matrix(turns[1][None])[0].T
        angle = math.degrees(math.acos(np.clip((np.trace(matrix) - 1) / 2, -1, 1)))
        assert_allclose(errors(a, b, protocol).rotation, angle, atol=2e-2)  # PARIS computes in single precision
        assert_allclose(errors(a, b, protocol, "corrected").rotation, angle, atol=1e-5)
    slides = [Joint("prismatic", axis=axis, upper=0.5) for axis in ((1, 0, 0), (0, 1, 0))]
    assert_allclose(errors(*slides, protocol).translation, 0.5 * math.sqrt(2))
    assert errors(*slides, protocol).reason("rotation") == "prismatic"


@given(inputs.seeds)
def test_relative_angle_is_exact_near_zero(seed):
    rng = np.random.default_rng(seed)
    turn = rng.normal(size=3)
    tiny = 1e-10 * turn / np.linalg.norm(turn)
    assert_allclose(relative_angle((turn + tiny)[None], turn[None]), 1e-10, rtol=1e-5)


def test_paris_still_prediction_has_no_axis():
    still = errors(DOOR, hinge(origin=(1, 0, 0), upper=0.0), "paris")
    assert math.isnan(still.axis)
    assert still.origin == 0.0
    assert errors(DOOR, hinge(origin=(1, 0, 0), upper=0.0), "paris", "corrected").axis == 0.0


def test_tenfold_distance_and_artgs_sum():
    tilted = hinge(axis=(0, 1, 1), origin=(0.2, 0, 0))
    published, corrected = errors(hinge(), tilted, "artgs"), errors(hinge(), tilted, "artgs", "corrected")
    assert_allclose(published.origin, 10 * corrected.origin)
    assert_allclose(corrected.origin, 0.2)
    assert (published.units["origin"], corrected.units["origin"]) == ("0.1 m", "m")
    assert_allclose(published.permutation_cost, published.axis + published.origin + published.rotation)
    assert corrected.reason("permutation_cost") == "a sum of degrees and metres"
    slides = [Joint("prismatic", upper=u) for u in (0.5, 0.75)]
    assert_allclose(errors(*slides, "artgs").permutation_cost, 0.25)


# ------------------------------------------------------------------- Real2Code


def test_real2code_fallback_direction():
    along = [hinge((-1, 0, 0)), hinge((-1, 0, 0), (0, 1, 0))]
    assert math.isnan(errors(*along, "real2code").origin)
    assert errors(*along, "real2code", "corrected").origin == 1.0
    plus = [hinge((1, 0, 0)), hinge((1, 0, 0), (0, 0, 1))]
    assert errors(*plus, "real2code").origin == 1.0


def test_real2code_scores_nothing_where_types_differ():
    result = errors(DOOR, Joint("prismatic", axis=Z, upper=1.0), "real2code")
    assert (result.type, result.reason("axis"), result.reason("origin")) == (1, "types differ", "types differ")
    assert errors(DOOR, Joint("continuous", axis=Z, origin=(1, 0, 0)), "real2code").type == 0


# ------------------------------------------------------------------- Articulate-Anything


def limits_of(result):
    return result.limit_range, result.limit_direction


@pytest.mark.parametrize("mode", MODES)
def test_articulate_anything_flip(mode):
    """A reversed encoding scores (0, 0) where the formula without the flip says (2, 2); so does a wrong-way door."""
    reverse = DOOR.reversed()
    assert limits_of(errors(DOOR, reverse, "articulate_anything", mode)) == (0, 0)
    template = errors(DOOR, reverse, "template", mode)
    assert (template.limit_range, template.limit_direction) == (2, 2)
    wrong_way = hinge(origin=(1, 0, 0), lower=-1.0, upper=0.0)
    assert limits_of(errors(DOOR, wrong_way, "articulate_anything", mode)) == (0, 0)


def test_articulate_anything_direction_never_fails(rng):
    """After the flip 1 - cos is at most 1, which is the tolerance."""
    a, b = random_hinges(rng), random_hinges(rng)
    direction = errors(a, b, "articulate_anything").limit_direction
    assert 0.99 < direction.max() <= 1.0


def test_articulate_anything_averages_metres_and_radians():
    """0.09 m with 0 rad passes, 0.02 m with 0.09 rad fails."""
    for offset, orientation, published, corrected in ((0.09, 0.0, 1, 0), (0.02, 0.09, 0, 1)):
        moved = hinge(axis=(0.001, 0, 1), origin=(0, offset, 0))
        pair = (hinge(), moved, "articulate_anything")
        assert errors(*pair, orientation=orientation).success == published
        assert errors(*pair, "corrected", orientation=orientation).success == corrected


def test_articulate_anything_excuses_prismatic_joints_and_what_is_not_a_number():
    slide, far = Joint("prismatic", upper=1.0), Joint("prismatic", origin=(5, 0, 0), upper=9.0)
    for mode in MODES:
        assert errors(slide, far, "articulate_anything", mode).success == 1
        assert errors(slide, Joint("prismatic", axis=(0, 1, 0)), "articulate_anything", mode).success == 0
    along = [hinge((-1, 0, 0)), hinge((-1, 0, 0), (0, 1, 0))]
    published, corrected = (errors(*along, "articulate_anything", mode) for mode in ("as_published", "corrected"))
    assert math.isnan(published.origin)
    assert (published.success, corrected.success) == (1, 0)


def test_articulate_anything_continuous_joints_have_zero_limits_as_published():
    spin, far = Joint("continuous", axis=Z), Joint("continuous", axis=Z, origin=(0, 0, 3))
    published, corrected = (errors(spin, far, "articulate_anything", mode) for mode in ("as_published", "corrected"))
    assert limits_of(published) == (0, 0)
    assert published.origin == 3.0
    assert corrected.origin == 0.0
    assert corrected.reason("limit_range") == "a joint is unbounded"


# ------------------------------------------------------------------- OPD


def test_opd_matches():
    near = hinge(axis=(math.sin(0.08), 0, math.cos(0.08)), origin=(0.05, 0, 7))
    result = errors(hinge(), near, "opd", diagonal=1.0)
    assert (result.type_match, result.axis_match, result.origin_match) == (1, 1, 1)
    assert_allclose(result.origin, 0.05)
    assert_allclose(result.axis, math.degrees(0.08))
    small = errors(hinge(), near, "opd", diagonal=0.4)
    assert (small.axis_match, small.origin_match) == (1, 0)
    unknown = errors(hinge(), near, "opd")
    assert unknown.reason("origin") == "the part's diagonal is not given"
    assert unknown.origin_match == 0
    slides = [Joint("prismatic", upper=1), Joint("prismatic", origin=(9, 9, 9), upper=2)]
    assert errors(*slides, "opd").origin_match == 1
    assert errors(DOOR, slides[0], "opd").type_match == 0


def test_opd_arccos_has_no_digits_near_zero():
    tilted = hinge(axis=(1e-9, 0, 1))
    assert errors(hinge(), tilted, "opd").axis == 0.0
    assert_allclose(errors(hinge(), tilted, "opd", "corrected").axis, math.degrees(1e-9), rtol=1e-6)


# ------------------------------------------------------------------- template


def test_template_reasons():
    spin, weld, slide = Joint("continuous", axis=Z), Joint("fixed"), Joint("prismatic", axis=Z, upper=1.0)
    result = errors(DOOR, spin, "template", "corrected")
    assert result.reason("limit_range") == result.reason("limit_direction") == "a joint is unbounded"
    assert errors(weld, DOOR, "template").reason("axis") == "a joint is fixed"
    assert errors(weld, weld, "template").success == 1
    assert errors(DOOR, slide, "template", "corrected").reason("limit_range") == "units differ"
    assert errors(DOOR, slide, "template").reason("limit_range") == ""
    still = hinge(origin=(1, 0, 0), lower=0.5, upper=0.5)
    assert errors(DOOR, still, "template").reason("limit_direction") == "a range is zero"
    assert errors(DOOR, hinge(axis=(0, 1e-4, 1)), "template").ill_conditioned == 1


def test_template_tolerances_are_strict():
    for tilt, offset, success in (
        (0.2499, 0.0, 1),
        (0.2501, 0.0, 0),
        (0.0, 0.0499, 1),
        (0.0, 0.05, 0),
        (0.1, 0.0501, 0),
    ):
        axis = (0, math.sin(tilt), math.cos(tilt))  # about x, which is along the common normal
        result = errors(hinge(), hinge(axis, (offset, 0, 0)), "template")
        assert_allclose((result.axis, result.origin_line), (tilt, offset), atol=1e-12)
        assert result.success == success
        assert result.success_literal == (success if tilt else 0)


@given(inputs.joints(), inputs.joints(), st.sampled_from(sorted(PROTOCOLS)), st.sampled_from(MODES))
def test_batches_are_single_calls(a, b, protocol, mode):
    truths, predictions = [a, b, a, DOOR, Joint("fixed")], [b, a, a.reversed(), Joint("continuous"), a]
    options = {"diagonal": 0.7} if protocol == "opd" else {}
    together = errors(truths, predictions, protocol, mode, **options)
    for k, (truth, prediction) in enumerate(zip(truths, predictions, strict=True)):
        one = errors(truth, prediction, protocol, mode, **options)
        for name, value in one.as_dict().items():
            assert_allclose(getattr(together, name)[k], value, rtol=1e-14)
            assert together.reason(name)[k] == one.reason(name)
    many = errors(a, predictions, protocol, mode, **options).as_dict()  # one truth against many
    for name, value in errors(a, a, protocol, mode, **options).as_dict().items():
        assert_allclose(many[name][1], value, rtol=1e-14)


@given(inputs.joints(), inputs.joints(), st.sampled_from(sorted(PROTOCOLS)))
def test_corrected_scores_are_numbers_or_have_a_reason(a, b, protocol):
    result = errors(a, b, protocol, "corrected", **({"diagonal": 1.0} if protocol == "opd" else {}))
    for name, value in result.as_dict().items():
        assert math.isfinite(value) == (result.reason(name) == "")
        assert result.reason(name) != "not a finite number as published"


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_score_declares_unit_and_direction(protocol):
    for mode in MODES:
        for name, quantity in PROTOCOLS[protocol].quantities(mode).items():
            assert quantity.name == name
            assert quantity.unit
            assert quantity.meaning
            assert isinstance(quantity.lower_is_better, bool)
    assert PROTOCOLS[protocol].source
    assert not PROTOCOLS["template"].quantities()["success"].lower_is_better


def test_distances_declare_unit_and_direction():
    assert QUANTITIES["E_B"].unit == "m"
    assert QUANTITIES["E_alpha_phi"].unit == "1"
    assert all(quantity.lower_is_better for quantity in QUANTITIES.values())
