"""Search for instances that come near the bound of a statement.

``python -m tools.climb DF20:lemma-13.stability --seconds 30 --seed 1`` goes from random instances
to neighbours that need more of what the statement allows, as long as there are any, and begins
again: for each trial of the claim that has a climb.  ``--keep 2`` puts the best two that were ever
found into the file of the climb, where the trial takes them as instances.  Interrupted at any time,
it says what it has; ``--from RESTART`` goes on where another run ended.  The same seed and restart
find the same.

``python -m tools.climb --table`` says for every climb how tight the instances of the quick budget
are without what was found, and with it.

An instance that refutes the statement ends the search: it is printed, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from pac_stability import claims
from pac_stability.audit import Verdict
from pac_stability.claims.kit import ClimbTrial, Find, Genes
from pac_stability.claims.report import how_tight
from pac_stability.keeping import write_text

_TRIES = 400  # random genes, until some describe an instance that needs something
_PLATEAU = 12  # steps that gain nothing, one after another


class Refuted(Exception):
    """An instance refutes the statement."""


@dataclass(frozen=True)
class Best:
    """The tightest instance of one climb."""

    tension: Fraction
    genes: Genes


class Search:
    """Climbs among the instances of one trial."""

    def __init__(self, of: ClimbTrial, seed: int, end: float) -> None:
        self.of = of
        self._seed = seed
        self._end = end
        self._known: dict[Genes, Fraction | None] = {}

    @property
    def over(self) -> bool:
        """Whether the time is up."""
        return time.monotonic() > self._end

    @property
    def asked(self) -> int:
        """How many instances were asked about."""
        return len(self._known)

    def tension(self, genes: Genes) -> Fraction | None:
        """Return what an instance needs of what is allowed; ``None`` where that is no number."""
        if genes not in self._known:
            found = self.of.ask(genes)
            if found is not None and found.verdict is Verdict.REFUTED:
                raise Refuted(f"{list(genes)}: {found.text}")
            self._known[genes] = None if found is None else found.tension
        return self._known[genes]

    def climb(self, restart: int) -> Best | None:
        """Go up from a random instance, to one without a neighbour that is tighter."""
        seed = f"{self.of.climb.name}/{self._seed}/{restart}"
        coins = Random(seed)  # noqa: S311  # instances, not secrets
        at = self._start(coins)
        seen = set() if at is None else {at.genes}
        level = 0
        while at is not None and not self.over and level < _PLATEAU:
            step = self._step(at, seen, coins)
            if step is None:
                break
            level = level + 1 if step.tension == at.tension else 0
            seen.add(step.genes)
            at = step
        return at

    def _start(self, coins: Random) -> Best | None:
        for _ in range(_TRIES):
            genes = self.of.climb.start(coins)
            tension = self.tension(genes)
            if tension:
                return Best(tension, genes)
            if self.over:
                break
        return None

    def _step(self, at: Best, seen: set[Genes], coins: Random) -> Best | None:
        """The first neighbour that is tighter, or else one that is as tight."""
        equal: Best | None = None
        for genes in self.of.climb.neighbours(at.genes, coins):
            if self.over:
                break
            tension = self.tension(genes)
            if tension is None or genes in seen or tension < at.tension:
                continue
            if tension > at.tension:
                return Best(tension, genes)
            equal = Best(tension, genes)
        return equal


def searched(search: Search, first: int) -> Iterator[tuple[int, Best]]:
    """Climb again and again, and yield the restarts that find something."""
    restart = first
    while not search.over:
        found = search.climb(restart)
        if found is not None:
            yield restart, found
        restart += 1


def kept(of: ClimbTrial, seed: int, found: list[Best], most: int) -> None:
    """Keep the best of what was found and what is in the file."""
    seeds = {find.genes: find.seed for find in of.climb.finds()}
    every = {best.genes: best.tension for best in found}
    for genes in seeds:
        old = of.ask(genes)
        every[genes] = Fraction(0) if old is None or old.tension is None else old.tension
    best = sorted(every, key=lambda genes: (-every[genes], genes))[:most]
    finds = [Find(seeds.get(genes, seed), genes) for genes in best]
    lines = ",\n".join(json.dumps({"seed": f.seed, "genes": list(f.genes)}) for f in finds)
    write_text(of.climb.file, f"[\n{lines}\n]\n")


def run(key: str, name: str, of: ClimbTrial, arguments: argparse.Namespace) -> bool:
    """Search in one trial, and say what was found; whether nothing refutes the statement."""
    search = Search(of, arguments.seed, time.monotonic() + arguments.seconds)
    found: list[Best] = []
    restart, interrupted = arguments.first, False
    print(f"{key}, {name}", flush=True)
    try:
        for restart, best in searched(search, arguments.first):
            if not found or best.tension > max(one.tension for one in found):
                asked = f"restart {restart}, {search.asked} asked"
                print(
                    f"  {how_tight(float(best.tension))}  {asked}: {list(best.genes)}", flush=True
                )
            found.append(best)
    except KeyboardInterrupt:
        interrupted = True
        print("  interrupted", flush=True)
    except Refuted as refuted:
        print(f"  REFUTED by {refuted}")
        return False
    print(f"  {search.asked} asked; go on with --from {restart + 1}", flush=True)
    if arguments.keep and found:
        kept(of, arguments.seed, found, arguments.keep)
    if interrupted:
        raise SystemExit(130)
    return True


def table() -> None:
    """Print how tight each trial with a climb is, without and with what was found."""
    print(f"{'':<48} {'without':>8} {'with':>8}")
    for claim in claims.all():
        for trial in claim.trials:
            of = trial.by_climbing
            if of is None:
                continue
            count = len(of.climb.finds())
            tensions = [f.tension or Fraction(0) for _, f in trial.findings(claims.Budget.QUICK)]
            without, whole = (
                max(t, default=Fraction(0)) for t in (tensions[: -count or None], tensions)
            )
            row = f"{claim.key}, {trial.name}"
            print(f"{row:<48.48} {how_tight(float(without)):>8} {how_tight(float(whole)):>8}")


def main() -> int:
    """Search; 1 when a statement is refuted."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.climb",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("key", nargs="*", help="claims, or patterns of keys")
    parser.add_argument("--trial", help="only the trial of this name")
    parser.add_argument("--seconds", type=float, default=30.0, help="for each trial")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--from", type=int, default=0, dest="first", help="the first restart")
    parser.add_argument("--keep", type=int, default=0, help="how many instances the file keeps")
    parser.add_argument("--table", action="store_true")
    arguments = parser.parse_args()
    if arguments.table:
        table()
        return 0
    chosen = [
        (claim.key, trial.name, trial.by_climbing)
        for claim in claims.select(arguments.key)
        for trial in claim.trials
        if trial.by_climbing is not None and arguments.trial in (None, trial.name)
    ]
    if not chosen:
        print("no trial of these has a climb", file=sys.stderr)
        return 2
    held = [run(*each, arguments) for each in chosen]
    return int(not all(held))


if __name__ == "__main__":
    raise SystemExit(main())
