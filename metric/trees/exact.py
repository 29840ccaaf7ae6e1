r"""The exact tree distance: bounds for all states, made exact only where the optimum looks.

The distance is the least cost of a realizable matching (`metric.trees.realizable`). Matching a pair saves
``w_ij = max(0, c_i + c_j - E_ij)`` against removing both edges, so it is ``sum c - max w(M)`` over realizable M. No
triangle inequality is needed: a pair that saves nothing may be dropped, as subsets stay realizable.

**States.** Root both trees anywhere (here: at their centroids r1, r2). A *state* (a, b) is a directed edge a of the
one tree matched with a directed edge b of the other, ``reach(a)`` facing ``reach(b)``; each matched pair is one
state and its reverse. ``D[a, b] = w_ab + `` best weight of a realizable matching between ``reach(a)`` and
``reach(b)``.

**Theorem.** ``D[a, b] = w_ab + AM``, where AM is the largest sum of ``D[a', b']`` over antichain matchings: pairs
(a', b') of ``reach(a) x reach(b)``, one to one, no a' ahead of another a', no b' ahead of another b'. The matchings
that send r1 and r2 to one node of the contracted tree have the largest weight AM(all edges away from r1, all away
from r2).
*Proof.* Let M be realizable and a matched with b. Then M between the reaches preserves "ahead of" both ways. Its
nearest pairs P are antichains on both sides: if a' lay ahead of a'', then b' ahead of b'', and (a', b') would not
be nearest. Every other pair lies ahead of exactly one pair of P on both sides, and M restricted to that part is
realizable, so ``w(M) <= sum of D over P``. Conversely the union of P and of realizable matchings ahead of its pairs
preserves "ahead of" both ways, hence splits, hence is realizable. The same with the roots in place of (a, b). QED

**All other matchings.** If M sends r1 and r2 to different nodes, then the last matched pair on the way from the
image of r2 to the image of r1 is an edge e next to the image of r1, directed away from r1, matched with an edge f
directed *towards* r2: a *turned* state. All other pairs next to the image of r1 lie below f. So M weighs at most
``turned(f) = AM(all edges away from r1; f towards r2, forced, and the edges below f)``. Edges f without any turned
state alive need no look at all.

**Two bounds of a whole.** For M containing state (a, b): ``w(M) <= D[a, b] + D[back a, back b] - w_ab``. A state
for which this is at most the best weight found is dead, for good: that weight only grows. The bounds of D come from
`metric.trees.bounds`; they fall with every dead state.

**Search.** Bounds of D by a sweep, then the root (or turned edge) with the largest bound is solved as an antichain
matching with the bounds in place of D. The states it rests on are solved in turn, from the leaves up again, until
nothing it rests on changes: then its value is realized by a matching and exact. Every step leaves a valid upper
bound ``max(best, root bound, turned bounds)``, so a search that runs out of time has a true gap. Duplicates cost
nothing extra: 40 x 40 equal drawers are 1,600 small states, not 40! assignments.

Only antichain matching is more than polynomial, and only where its linear relaxation is fractional. The rooted
problem is a maximum weight Tai mapping between unordered trees, NP-hard (Zhang, Statman, Shasha 1992); one integer
programme for every pair of nodes solves it too (Hong, Kobayashi, Yamamoto), and so does A* (Yoshino, Higuchi,
Hirata 2013). New here: unrooted trees by turned states, bounds first, exact values only where they are asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metric.trees.antichain import BRANCHED, GREEDY, RELAXED, ROUNDING, match
from metric.trees.assignment import Pair
from metric.trees.backend import Kernels
from metric.trees.directed import DirectedTree, Index

State = tuple[int, int]

_FEW = 0.02  # a sweep that kills a smaller share of the states than this is not repeated
_NEGLIGIBLE = 1e-15  # savings below this share of the whole are rounding


@dataclass(frozen=True)
class Optimum:
    """Best matching found, by preorder place in both trees, and a bound on what any saves."""

    pairs: list[Pair] | None  # None: nothing better than the saving known at the start
    upper: float
    certified: bool  # the pairs save as much as the bound, or nothing saves more than was known, up to rounding


def search(
    truth: DirectedTree,
    guess: DirectedTree,
    saving: NDArray[np.float64],
    whole: float,
    kernels: Kernels,
    *,
    known: float = 0.0,
    expired: Callable[[], bool] = lambda: False,
) -> Optimum:
    """Realizable matching of largest saving.

    Parameters
    ----------
    truth, guess
        Trees with n and m edges, at least one each.
    saving : array, shape (n, m)
        What matching a pair saves, by preorder place; finite, at least 0.
    whole : float
        Cost of removing everything: the scale of all tolerances.
    kernels
        Compiled or plain routines.
    known : float
        A saving that is known to be possible; only more than that is looked for.
    expired
        Asked between steps; when True the search stops with what it has.
    """
    work = _Search(truth, guess, saving / whole, known / whole, kernels, expired)
    work.run()
    return Optimum(work.pairs, (work.upper + work.rounding) * whole, work.closed)


@dataclass(frozen=True, eq=False)
class _Solved:
    """An antichain matching below a state, by states."""

    chosen: list[State]  # the matching
    support: list[State]  # the states that its bound rests on
    places: tuple[Index, Index]  # the same as indices into the table of bounds
    worth: NDArray[np.float64]  # the bounds that they had
    effort: int


class _Search:
    """State of one search. Numbers (2n, 2m) stand for the two roots; (2n, b) for "turned at b"."""

    def __init__(
        self,
        truth: DirectedTree,
        guess: DirectedTree,
        saving: NDArray[np.float64],
        known: float,
        kernels: Kernels,
        expired: Callable[[], bool],
    ) -> None:
        self.truth, self.guess, self.kernels, self.expired = truth, guess, kernels, expired
        self.rounding = ROUNDING * (len(truth) + len(guess) + 10)  # one for each state of a solution, and more
        self.saving = np.ascontiguousarray(saving[np.ix_(truth.place, guess.place)])
        self.alive = self.saving > _NEGLIGIBLE
        self.reverse = np.ix_(truth.back, guess.back)
        self.bound = np.full((truth.root + 1, guess.root + 1), np.inf)
        self.bound[:-1, :-1][~self.alive] = 0.0
        self.bound[:-1, -1] = 0.0
        self.root: State = (truth.root, guess.root)
        self.best = known
        self.pairs: list[Pair] | None = None
        self.upper = np.inf
        self.found: dict[State, _Solved] = {}
        # Bounds known to be realized; those of states with nothing ahead on one side always are.
        self.exact = (np.append(truth.size, len(truth)) == 0)[:, None] | (np.append(guess.size, len(guess)) == 0)
        self.falls = 0  # how often solving a state lowered its bound

    def run(self) -> None:
        """Narrow the gap until it is closed, nothing changes any more, or time is up."""
        before = None
        while True:
            self._tighten()
            after = (self.best, len(self.found), int(self.exact.sum()), self.falls, int(self.alive.sum()))
            if self.closed or after == before or self.expired():
                return
            before = after
            top = self._most_promising()
            self._solve_below(top)
            self._take(top)
            self.upper = min(self.upper, self._upper())

    @property
    def closed(self) -> bool:
        """Whether nothing can save more than the best, up to rounding."""
        return self.upper <= self.best + self.rounding

    def _tighten(self) -> None:
        """Sweep and kill until little changes."""
        states = int(self.alive.sum())
        while True:
            self.kernels.sweep(self.truth, self.guess, self.saving, self.bound)
            self._kill()
            left = int(self.alive.sum())
            if states - left <= _FEW * states or self.expired():
                break
            states = left
        self.upper = min(self.upper, self._upper())

    def _kill(self) -> None:
        """Drop the states that no matching better than the best can contain; lower the turned bounds."""
        inside = self.bound[:-1, :-1]
        total = inside + inside[self.reverse] - self.saving
        self.alive &= total > self.best + ROUNDING
        inside[~self.alive] = 0.0
        total[~self.alive] = 0.0
        turned = total[np.ix_(self.truth.down, self.guess.up)].max(axis=0)
        self.bound[-1, self.guess.up] = np.minimum(self.bound[-1, self.guess.up], turned)

    def _upper(self) -> float:
        """No matching saves more."""
        return max(self.best, float(self.bound[self.root]), float(self.bound[-1, self.guess.up].max()))

    def _most_promising(self) -> State:
        """The root, or the turned edge with the largest bound, the lowest one among equals.

        A chain of turned pairs gives all its edges one bound, and the lowest edge is the one that attains it.
        """
        turned = self.bound[-1, self.guess.up]
        if self.bound[self.root] >= turned.max():
            return self.root
        lowest = np.flatnonzero(turned >= turned.max() - ROUNDING)[-1]
        return self.truth.root, int(self.guess.up[lowest])

    def _solve_below(self, top: State) -> None:
        """Choose greedily from a state downwards, then solve what was chosen from the leaves up."""
        order, waiting, seen = [], [top], {top}
        while waiting:
            state = waiting.pop()
            order.append(state)
            self._solve_if_stale(state, GREEDY)
            for child in self.found[state].support:
                if child not in seen and not self.exact[child]:
                    seen.add(child)
                    waiting.append(child)
        self._take(top)
        # Numbers grow with the level, so a state comes after all that it rests on.
        for state in sorted(order, key=lambda s: (s[0], -s[1])):
            if self.expired():
                return
            self._settle(state)

    def _settle(self, state: State) -> None:
        """Solve a state until it is exact, or rests on states that are not."""
        effort = RELAXED
        while not self.expired():
            if self._solve_if_stale(state, RELAXED):
                effort = RELAXED
            if self._realized(state):
                self.exact[state] = True
                return
            if self.found[state].effort == GREEDY:
                self._solve(state, RELAXED)
                continue
            if effort == BRANCHED or not self.exact[self.found[state].places].all():
                return
            effort = BRANCHED
            self._solve(state, BRANCHED)

    def _realized(self, state: State) -> bool:
        """Whether the pairs chosen below a state are exact and worth its bound."""
        chosen = self.found[state].chosen
        worth = self._own(state) + sum(self.bound[child] for child in chosen)
        enough = worth >= self.bound[state] - ROUNDING * (1 + len(chosen))
        return bool(enough) and all(self.exact[child] for child in chosen)

    def _own(self, state: State) -> float:
        return float(self.saving[state]) if state[0] < self.truth.root else 0.0

    def _solve_if_stale(self, state: State, effort: int) -> bool:
        """Solve a state anew if a bound that its solution rests on has fallen since."""
        found = self.found.get(state)
        if found is not None and (self.bound[found.places] >= found.worth - ROUNDING).all():
            return False
        self._solve(state, effort)
        return True

    def _solve(self, state: State, effort: int) -> None:
        """Antichain matching of what a state leaves ahead, with the bounds in place of the unknown D."""
        rows, row_end, columns, column_end = self._ahead(state)
        worth = self.bound[rows[:, None], columns]
        own, forced = self._own(state), float(self._turned(state))
        if forced:  # worth more than all savings together, so that this column will be used
            worth[:, 0] += forced * (worth[:, 0] > 0)
        result = match(
            worth,
            row_end,
            column_end,
            self.kernels,
            effort=effort,
            enough=float(self.bound[state]) - own + forced,
            floor=self.best - self._elsewhere(state) + forced,
            known=self.exact[rows[:, None], columns],
            expired=self.expired,
        )
        places = rows[result.support[:, 0]], columns[result.support[:, 1]]
        support = list(zip(places[0].tolist(), places[1].tolist(), strict=True))
        chosen = support
        if result.pairs is not result.support:
            i, j = result.pairs.T
            chosen = list(zip(rows[i].tolist(), columns[j].tolist(), strict=True))
        self.found[state] = _Solved(chosen, support, places, self.bound[places], effort)
        bound = own + result.bound - forced
        self.falls += bound < self.bound[state] - ROUNDING
        self.bound[state] = min(self.bound[state], bound)

    def _elsewhere(self, state: State) -> float:
        """What a matching that contains a state can save outside of it at most."""
        a, b = state
        return float(self.bound[self.truth.back[a], self.guess.back[b]]) if a < self.truth.root else 0.0

    def _turned(self, state: State) -> bool:
        return state[0] == self.truth.root and state != self.root

    def _ahead(self, state: State) -> tuple[Index, Index, Index, Index]:
        """Directed edges that a state leaves to match, in both trees, each as a forest in preorder."""
        a, b = state
        if a < self.truth.root:  # always a directed edge away from the root
            p = int(self.truth.place[a])
            end = int(self.truth.end[p])
            return self.truth.down[p + 1 : end], self.truth.end[p + 1 : end] - p - 1, *self.guess.reach(b)
        if not self._turned(state):
            return self.truth.down, self.truth.end, self.guess.down, self.guess.end
        p = int(self.guess.place[b])
        end = int(self.guess.end[p])
        columns = np.concatenate([[b], self.guess.down[p + 1 : end]])
        return self.truth.down, self.truth.end, columns, np.concatenate([[1], self.guess.end[p + 1 : end] - p])

    def _take(self, top: State) -> None:
        """Keep the matching that the solutions below a root spell out, if it is the best so far."""
        chosen: list[State] = []
        waiting = [top]
        while waiting:
            found = self.found.get(waiting.pop())
            if found is not None:
                chosen += found.chosen
                waiting += found.chosen
        saved = sum(float(self.saving[state]) for state in chosen)
        if saved > self.best:
            self.best = saved
            self.pairs = [(int(self.truth.place[a]), int(self.guess.place[b])) for a, b in chosen]
