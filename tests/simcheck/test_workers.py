"""Worker processes: a crash or a hang costs one task, C output is kept apart, order does not depend on luck."""

from __future__ import annotations

import ctypes
import locale
import os
import time

import pytest
from urdf_and_command import ASSETS

from simcheck.engine.messages import split_messages
from simcheck.errors import AssetError, SimulationError
from simcheck.workers import Workers


def double(x):
    time.sleep(0.02 * (x % 3))
    return 2 * x


def misbehave(how):
    if how == "segfault":
        ctypes.CDLL(None).puts(b"last words")
        ctypes.CDLL(None).fflush(None)
        ctypes.string_at(0)
    elif how == "exit":
        os._exit(7)
    elif how == "hang":
        time.sleep(60)
    elif how == "refuse":
        raise AssetError("a.urdf", "bad", element="joint 'j'")
    elif how == "defect":
        raise ZeroDivisionError("division by zero")
    elif how == "print":
        ctypes.CDLL(None).puts(b"from C")
        print("from Python")
    return how


def load_raw(path):
    """What no part of the harness does: give PyBullet a file as it stands."""
    import pybullet

    client = pybullet.connect(pybullet.DIRECT)
    try:
        return pybullet.loadURDF(path, physicsClientId=client)
    finally:
        pybullet.disconnect(client)


def environment():
    return os.environ["OMP_NUM_THREADS"], locale.setlocale(locale.LC_NUMERIC), os.getpid()


@pytest.mark.parametrize("count", [1, 2, 3])
def test_outcomes_come_in_the_order_of_the_tasks(count):
    with Workers(count) as workers:
        outcomes = list(workers.map(double, [(x,) for x in range(20)]))
    assert [o.value for o in outcomes] == [2 * x for x in range(20)]
    assert [o.index for o in outcomes] == list(range(20))


def test_each_misbehaviour_costs_one_task():
    tasks = ["fine", "segfault", "fine", "exit", "hang", "refuse", "defect", "fine"]
    with Workers(2, timeout=1.5) as workers:
        outcomes = list(workers.map(misbehave, [(t,) for t in tasks]))
    messages = ["" if o.error is None else str(o.error) for o in outcomes]
    assert [o.value for o in outcomes if o.error is None] == ["fine"] * 3
    assert "SIGSEGV" in messages[1]
    assert "last words" in messages[1]
    assert "exit code 7" in messages[3]
    assert "no answer within 1.5 s" in messages[4]
    assert isinstance(outcomes[5].error, AssetError)
    assert outcomes[5].error.element == "joint 'j'"
    assert messages[6] == "internal error: ZeroDivisionError: division by zero"


def test_c_output_is_attached_to_its_task(capfd):
    with Workers(1) as workers:
        outcomes = list(workers.map(misbehave, [("fine",), ("print",), ("fine",)]))
    assert [split_messages(o.output) for o in outcomes] == [[], ["from C", "from Python"], []]
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("name", ["two_roots", "dup_joint_rev", "no_type", "loop2parents", "self_loop"])
def test_files_that_kill_pybullet_do_not_kill_the_run(name):
    with Workers(1) as workers:
        first, second = workers.map(load_raw, [(str(ASSETS / "minimal" / f"{n}.urdf"),) for n in (name, "mimic")])
    assert isinstance(first.error, SimulationError)
    assert "SIGSEGV" in str(first.error)
    assert second.value == 0


def test_workers_have_one_thread_and_a_decimal_point():
    with Workers(1) as workers:
        threads, numeric, pid = workers.run(environment)
    assert (threads, numeric) == ("1", "C")
    assert pid != os.getpid()


def test_nothing_is_left_behind(tmp_path):
    before = (
        {p.name for p in os.scandir("/dev/shm") if p.name.startswith("simcheck")}
        if os.path.isdir("/dev/shm")
        else set()
    )
    with Workers(2) as workers:
        pids = {workers.run(environment)[2]}
        list(workers.map(misbehave, [("segfault",)]))
    after = (
        {p.name for p in os.scandir("/dev/shm") if p.name.startswith("simcheck")}
        if os.path.isdir("/dev/shm")
        else set()
    )
    assert after <= before
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_few_tasks_are_taken_ahead():
    taken = []

    def tasks():
        for k in range(100):
            taken.append(k)
            yield (k,)

    with Workers(2) as workers:
        results = workers.map(double, tasks())
        next(results)
        assert len(taken) < 20
        assert sum(1 for _ in results) == 99
    assert len(taken) == 100


def test_bullet_messages_are_split():
    invented = "b3Warning[x.cpp,126]:\nNo inertial data for link, mass=1b3Warning[x.cpp,126]:\nlid"
    text = invented + "b3Warning[y,2]:\nbad tensor\nbad tensor\n"
    assert split_messages(text) == ["bad tensor"]
