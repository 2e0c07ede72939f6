"""Noise and histograms that claims name, beside definitions that are spelt out."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from pac_stability.arithmetic import Epsilon
from pac_stability.claims.as_defined import Computed, as_defined
from pac_stability.mechanisms import DiscreteLaplace, LaplaceHistogram
from pac_stability.mechanisms.discrete_laplace import (
    clamped_law,
    discrete_laplace_pmf,
    discrete_laplace_tail,
    truncated_law,
)

_FAR = 200  # 2^-200 is beyond what the comparisons below can see
_NEAR = Fraction(1, 2**150)


def _weight(z: int, decay: Fraction) -> Fraction:
    return Fraction(decay ** abs(z))


def _noise() -> Iterator[Computed]:
    for decay in (Fraction(1, 2), Fraction(1, 5)):
        total = sum((_weight(z, decay) for z in range(-_FAR, _FAR + 1)), Fraction(0))
        for z in (-3, -1, 0, 1, 2):
            yield Computed(
                f"the probability of {z}, decay {decay}",
                abs(discrete_laplace_pmf(z, decay) - _weight(z, decay) / total) < _NEAR,
                True,
            )
            tail = sum(_weight(u, decay) for u in range(z, _FAR + 1)) / total
            yield Computed(
                f"the probability of {z} or more, decay {decay}",
                abs(discrete_laplace_tail(z, decay) - tail) < _NEAR,
                True,
            )
        for low, high in ((-2, 3), (0, 1), (-1, 0)):
            law = clamped_law(decay, low, high)
            yield Computed(
                f"clamped to {low}, ..., {high}, decay {decay}",
                {z: law.probability(z) for z in law.support},
                {
                    z: (
                        discrete_laplace_tail(high, decay)
                        if z == high
                        else discrete_laplace_tail(-low, decay)
                        if z == low
                        else discrete_laplace_pmf(z, decay)
                    )
                    for z in range(low, high + 1)
                },
            )
        inside = sum(_weight(z, decay) for z in range(-2, 3))
        yield Computed(
            f"truncated to 2, decay {decay}",
            dict(truncated_law(decay, 2).items()),
            {z: _weight(z, decay) / inside for z in range(-2, 3)},
        )
        noisy = DiscreteLaplace(decay, -1, 3)
        laws = [noisy.law(x) for x in range(-1, 4)]
        factors = [
            p.probability(z) / q.probability(z)
            for p, q in product(laws, repeat=2)
            if abs(laws.index(p) - laws.index(q)) == 1
            for z in range(-1, 4)
        ]
        yield Computed(
            f"the privacy of a count, decay {decay}", noisy.guarantee.factor, max(factors)
        )
        t = Fraction(3, 2)
        yield Computed(
            f"its delta at {t}, decay {decay}",
            noisy.delta(Epsilon.exactly(t)),
            max(
                sum(
                    (
                        max(Fraction(0), p.probability(z) - t * q.probability(z))
                        for z in range(-1, 4)
                    ),
                    Fraction(0),
                )
                for p, q in product(laws, repeat=2)
                if abs(laws.index(p) - laws.index(q)) == 1
            ),
        )
        for x in (-1, 1, 3):
            yield Computed(
                f"{x} with noise, decay {decay}",
                [noisy.law(x).probability(z) for z in (0, 1, 2)],
                [discrete_laplace_pmf(z - x, decay) for z in (0, 1, 2)],
            )


def _histograms() -> Iterator[Computed]:
    for decay, threshold in ((Fraction(1, 2), 2), (Fraction(1, 3), 3)):
        histogram = LaplaceHistogram(decay, threshold)
        laws = {items: histogram.law(items) for items in product("ab", repeat=2)}
        for items, law in laws.items():
            for item in "ab":
                count = items.count(item)
                released = sum(
                    (p for out, p in law.items() if any(name == item for name, _ in out)),
                    Fraction(0),
                )
                yield Computed(
                    f"{item} of {items} is released, decay {decay}",
                    released,
                    discrete_laplace_tail(threshold - count, decay) if count else Fraction(0),
                )
        t, delta = histogram.guarantee.factor, histogram.guarantee.delta
        beyond = max(
            sum(
                (max(Fraction(0), p - t * law.probability(out)) for out, p in other.items()),
                Fraction(0),
            )
            for a, other in laws.items()
            for b, law in laws.items()
            if sum(x != y for x, y in zip(a, b, strict=True)) == 1
        )
        yield Computed(
            f"its privacy, decay {decay}",
            (t, beyond <= delta, delta),
            (decay**-2, True, discrete_laplace_tail(threshold - 1, decay)),
        )
        found = LaplaceHistogram.from_privacy(Epsilon.exactly(decay**-2), delta)
        less = LaplaceHistogram(found.decay, found.threshold - 1) if found.threshold > 2 else None
        yield Computed(
            f"the least threshold, decay {decay}",
            (
                found.guarantee.delta <= delta,
                less is not None and less.guarantee.delta <= delta,
            ),
            (True, False),
        )


NOISE = as_defined(
    "discrete noise", _noise, "noise of two scales, its values from -3 to 3, clamped and truncated"
)
HISTOGRAMS = as_defined("histograms", _histograms, "two items of two kinds, all neighbours")
