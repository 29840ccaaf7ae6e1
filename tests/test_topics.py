"""Every command and every code block of the topic pages runs and prints what the page says."""

from __future__ import annotations

import re

import pytest
from pages import ROOT, blocks, matches, run_blocks
from urdf_and_command import run

from simcheck.help import TOPICS, page


@pytest.mark.parametrize("topic", TOPICS)
def test_a_page_does_what_it_says(topic, tmp_path):
    run_blocks(page(topic), tmp_path)


def test_the_command_lists_and_shows_them():
    listed = run("help").out.splitlines()
    assert [line.split()[0] for line in listed] == list(TOPICS)
    assert run("help", "conventions").out == page("conventions")
    assert "Usage: simcheck compare" in run("help", "compare").out
    unknown = run("help", "nonsense")
    assert (unknown.code, unknown.out) == (2, "")
    assert "'nonsense'" in unknown.err


def test_all_pages_are_known_and_linked():
    folder = ROOT / "simcheck" / "help"
    assert {path.stem for path in folder.glob("*.md")} == set(TOPICS)
    readme = (ROOT / "README.md").read_text()
    assert set(re.findall(r"\(simcheck/help/(\w+)\.md\)", readme)) == set(TOPICS)


def test_what_is_printed_is_compared():
    assert matches("a … c\n…\nd", "a  b c\nx\ny\nd\n")
    assert not matches("a b", "a c")
    assert not matches("a …", "b a c")
    assert [block.file for block in blocks("```json x.json\n{}\n```\n```bash\nls\n```\n")] == ["x.json", ""]
