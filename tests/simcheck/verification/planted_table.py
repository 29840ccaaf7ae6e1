"""Plant every kind of defect in our own objects and in generated ones, and print what `verify` finds, as Markdown.

    python tests/simcheck/verification/planted_table.py [--objects DIR] [--generated N] [--seed S] [--kinds 1,2,…]

The generated objects are the first N files of a folder (of a suite), or else variants of our own: other sizes, other
joint frames. Takes about a quarter of an hour for all kinds over 46 + 200 objects on two cores.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(Path(__file__).resolve().parent)]

from planter import KINDS  # noqa: E402
from planting import Tally, examined, found, pairs, plants_in, variants  # noqa: E402

from simcheck.defaults import own_objects  # noqa: E402
from simcheck.verification.batch import examine_all  # noqa: E402
from simcheck.verification.examination import Checks  # noqa: E402


def clean_line(name: str, files: list[Path], workers: int) -> str:
    """Errors and warnings of objects in which nothing was planted."""
    reports = list(examine_all([str(f) for f in files], Checks(), workers=workers))
    errors = sum(len(r.errors) for r in reports)
    warnings = Counter(f.code for r in reports for f in r.warnings)
    shown = ", ".join(f"{code} {n}" for code, n in warnings.most_common()) or "none"
    for report in reports:
        for finding in report.errors:
            print(finding, file=sys.stderr)
    return f"Clean: {len(files)} {name}: {errors} errors; warnings: {shown}."


def row(name: str, tally: Tally, seconds: float) -> str:
    seen = ", ".join(f"{n} {letter}" for letter, n in sorted(tally.visible.items())) or "–"
    share = f"{tally.caught} / {tally.exact} of {tally.seen}" if tally.seen else "not detectable from the file"
    quiet = "" if not tally.invisible else f"{tally.invisible} ({tally.errors + tally.crashes} errors or crashes)"
    number, _, what = name.partition(" ")
    milliseconds = 1000 * seconds / tally.planted
    return (
        f"| {number} | {what} | {tally.planted} | {tally.redrawn} | {seen} | {share} | {quiet} | {milliseconds:.0f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--objects", type=Path, help="folder of generated objects")
    parser.add_argument("--generated", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kinds", default="")
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    kinds = [k for k in KINDS if not given.kinds or k.split()[0] in given.kinds.split(",")]
    kinds.sort(key=lambda k: (int(re.match(r"\d+", k).group()), k))
    scratch = Path(tempfile.mkdtemp(prefix="simcheck-planted-"))
    try:
        own = own_objects()
        if given.objects is not None:
            generated = sorted(given.objects.rglob("*.urdf"))[: given.generated]
        else:
            generated = variants(own, given.generated, scratch / "objects", given.seed)
        print(clean_line("own objects", own, given.workers))
        print(clean_line("generated objects", generated, given.workers), flush=True)
        objects = [*own, *generated]
        with ProcessPoolExecutor(given.workers) as pool:
            arguments = ((k, source, kinds, scratch / "plants", given.seed) for k, source in enumerate(objects))
            planted = [item for items in pool.map(plants_in, *zip(*arguments, strict=True)) for item in items]
        print("\n| # | planted | files | no-ops redrawn | visible | code / code and element | invisible | ms a file |")
        print("|---|---|---|---|---|---|---|---|", flush=True)
        total = Tally()
        for name in kinds:
            chosen = [item for item in planted if item.kind == name]
            if not chosen:
                continue
            started = time.perf_counter()
            tally = examined(chosen, Checks(), given.workers)[name]
            print(row(name, tally, time.perf_counter() - started), flush=True)
            print(*tally.missed, sep="\n", end="\n" if tally.missed else "", file=sys.stderr, flush=True)
            total.planted += tally.planted
            total.exact += tally.exact
            total.invisible += tally.invisible
            total.errors += tally.errors + tally.crashes
            for letter, n in tally.visible.items():
                total.visible[letter] = total.visible.get(letter, 0) + n
        print(
            f"\n{len(kinds)} kinds, {total.planted} files: {total.exact} of {total.seen} visible ones found with the "
            f"right code on the right element; {total.invisible} invisible ones, {total.errors} with errors or crashes."
        )
        double = list(pairs(objects, scratch / "pairs", given.seed))
        reports = examine_all([str(item.path) for item, _ in double], Checks(), workers=given.workers, timeout=60)
        second = first_too = 0
        for (item, first), report in zip(double, reports, strict=True):
            second += found(item.plant.expected, report)
            first_too += found(first, report)
            if not (found(first, report) and found(item.plant.expected, report)):
                print(f"pair {item.kind} {item.path}: {first} {[f.code for f in report.errors]}", file=sys.stderr)
        print(f"Two plants in one file: {len(double)} files; first found {first_too}, second found {second}.")
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    main()
