"""A whole session against an adversary who signals with everything that a session lets out.

The schemes keep an example whose label says whether labels are many; filters and queries say more.
For each transcript the best test is named, and held against the bound of *that* transcript.
"""

import itertools
from collections import defaultdict
from collections.abc import Hashable
from fractions import Fraction

import pytest

from pac_stability import FiniteClass, Sample
from pac_stability.classes.finite_class import Row
from pac_stability.compression import AdaptiveSession, Answer, Query, Task
from pac_stability.compression.scheme import ProperScheme
from pac_stability.compression.transcript import BoundKind, KeptRound, SessionTranscript

CONSTANTS = FiniteClass([[0], [1]])
N = 9


class Signal(ProperScheme[Row]):
    """Keeps an example of the label 1 if at least a share of the labels is 1, as far as it can."""

    def __init__(self, share: Fraction) -> None:
        self.share = share

    @property
    def family(self) -> FiniteClass:
        return CONSTANTS

    def size(self, n: int) -> int:  # noqa: ARG002  # the same for every n
        return 1

    def _compress(self, sample: Sample[Hashable]) -> tuple[int, ...]:
        wanted = int(sum(sample.labels) >= self.share * len(sample))
        return (sample.labels.index(wanted) if wanted in sample.labels else 0,)

    def reconstruct(self, kept: Sample[Hashable], /) -> Row:
        return CONSTANTS[kept.labels[0]]


def analyst(answers: tuple[Answer[object], ...]) -> Task[Row] | Query | None:
    """Search for the share of the label 1, by what the answers let out."""
    match len(answers):
        case 0:
            return Task(Signal(Fraction(1, 2)))
        case 1:
            many = answers[0].output == CONSTANTS[1]
            return Task(Signal(Fraction(8, 9) if many else Fraction(2, 9)))
        case 2:
            round_ = answers[1].round
            assert isinstance(round_, KeptRound)
            label = round_.kept.labels[0]
            return Task(Signal(Fraction(1, 2)), where=lambda z: z.label != label)
        case 3:
            return Query(lambda S: int(sum(S.labels) in (0, N)), bits=1)
    return None


def transcripts() -> dict[tuple[int, SessionTranscript], list[int]]:
    """For each number of rounds and each transcript the numbers of ones of its samples."""
    found: dict[tuple[int, SessionTranscript], list[int]] = defaultdict(list)
    for labels in itertools.product((0, 1), repeat=N):
        session = AdaptiveSession(Sample([0] * N, labels), Fraction(1, 2))
        session.run(analyst)
        whole = session.transcript
        for steps in range(1, 5):
            cut = SessionTranscript(N, whole.delta, rounds=whole.rounds[:steps])
            found[steps, cut].append(sum(labels))
    return found


TRANSCRIPTS = transcripts()


def failure(p: Fraction, delta: Fraction, steps: int, kind: BoundKind) -> Fraction:
    """Return the probability that the test "label 1" deviates by more than the bound stated.

    Up to complement it is the only test on one point that can deviate, so it is the best one.
    """
    failed = Fraction()
    for (number, transcript), ones in TRANSCRIPTS.items():
        if number == steps:
            stated = SessionTranscript(N, delta, rounds=transcript.rounds).bound(kind).value().lower
            failed += sum(
                (p**j * (1 - p) ** (N - j) for j in ones if abs(Fraction(j, N) - p) > stated),
                Fraction(),
            )
    return failed


@pytest.mark.parametrize("p", [Fraction(1, 2), Fraction(1, 5), Fraction(1, 20)])
@pytest.mark.parametrize("delta", [Fraction(9, 10), Fraction(1, 2), Fraction(1, 20)])
def test_no_bound_fails_more_often_than_it_says(p: Fraction, delta: Fraction) -> None:
    for steps in range(1, 5):
        assert failure(p, delta, steps, "hoeffding") <= delta
        # Analyst and adversary toss no coins, so a failure is certain or impossible.
        assert failure(p, delta, steps, "split") <= delta**2 / 4
    assert sum(failure(p, delta, steps, "anytime") for steps in range(1, 5)) <= delta


def test_some_failures_are_left() -> None:
    """After one round the bound is .496 for delta = 9/10, and nine equal labels are off by 1/2."""
    assert failure(Fraction(1, 2), Fraction(9, 10), 1, "hoeffding") == Fraction(2, 2**N)


def test_the_transcript_tells_the_sample_apart() -> None:
    """The adversary knows much: most transcripts leave few numbers of ones possible."""
    last = [set(ones) for (steps, _), ones in TRANSCRIPTS.items() if steps == 4]
    assert sum(len(ones) <= 3 for ones in last) > len(last) / 2
    assert {0} in last
    assert {N} in last
