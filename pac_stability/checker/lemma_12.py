"""A class of Littlestone dimension 2 on which Lemma 12 of Bun, Livni and Moran fails (FOCS 2020).

It says that after some k <= d tournaments some hypothesis is output with probability 2**-d at
least. ``python3 -I -S lemma_12.py`` shows with integers that here none is, for any k.
"""

from collections import defaultdict
from fractions import Fraction
from functools import cache
from itertools import product

Hypothesis = tuple[int, ...]  # the label of each point
Version = frozenset[Hypothesis]  # what of the class fits the sample so far


def _sides(V: Version, x: int) -> list[Version]:
    return [frozenset(h for h in V if h[x] == y) for y in (0, 1)]


@cache
def dimension(V: Version) -> int:
    """Littlestone's, by its recursion."""
    halves = [_sides(V, x) for x in range(len(min(V, default=())))]
    return max([1 + min(map(dimension, s)) for s in halves if all(s)], default=0 if V else -1)


@cache
def _soa(V: Version, tie: int) -> Hypothesis:  # at each point the label with which more is left
    left = [[dimension(side) for side in _sides(V, x)] for x in range(len(min(V)))]
    return tuple(tie if zero == one else int(one > zero) for zero, one in left)


def _learn(V: Version, f: Hypothesis, x: int, y: int, tie: int) -> tuple[Version, Hypothesis]:
    left = _sides(V, x)[y]  # when nothing is left, Definition 8 changes f at x alone
    return (left, _soa(left, tie)) if left else (left, (*f[:x], y, *f[x + 1 :]))


def frequencies(H: Version, c: Hypothesis, D: dict[int, int], n: int, tie: int) -> list[Fraction]:
    """max_f Pr[SOA(S o T) = f] for S ~ D_k and T ~ D^n (weights), labelled by c; k = 0, ..., d."""
    found, law = [], {(H, _soa(H, tie)): 1}  # of SOA(S), up to a factor; no more than 4095 states
    while law:
        for _ in range(n):  # the examples of T
            before, law = law if len(law) < 4096 else {}, defaultdict(int)
            for ((V, f), p), (x, w) in product(before.items(), D.items()):
                law[_learn(V, f, x, c[x], tie)] += p * w
        outputs = {g: sum(law[s] for s in law if s[1] == g) for _, g in law if len(law) < 4096}
        found.append(Fraction(max(outputs.values()), sum(outputs.values())))
        players, law = law if len(found) <= dimension(H) else {}, defaultdict(int)
        for ((V, f), p), (g, q) in product(players.items(), outputs.items()):
            if f != g:  # a player and the other's predictor: one coin y in two makes f wrong at x,
                x = next(x for x in range(len(f)) if f[x] != g[x])  # the first point of difference;
                law[_learn(V, f, x, 1 - f[x], tie)] += p * q  # who is wrong wins, and keeps (x, y)
    return found


if __name__ == "__main__":
    table = frozenset(tuple(map(int, h)) for h in ["00000", "01010", "11010", "00110", "11001"])
    reached = frequencies(table, (0, 0, 0, 0, 0), {0: 4, 1: 4, 2: 4, 3: 1, 4: 4}, n=1, tie=1)
    print(dimension(table), *reached, max(reached) < Fraction(1, 4))  # noqa: T201  # a program
