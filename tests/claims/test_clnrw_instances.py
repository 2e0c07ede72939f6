"""Instances of the claims about compression: their laws against brute force."""

from fractions import Fraction
from itertools import product

import pytest

from pac_stability.books.cummings_et_al.learners import Telling, rounds
from pac_stability.books.cummings_et_al.schemes import Named, many_named, named
from pac_stability.claims import Budget
from pac_stability.compression import check_scheme
from pac_stability.data import Example, Sample


def failure_by_all_samples(setting: Named, deviation: Fraction) -> Fraction:
    """Go through the names, and the bits of every sequence of names, of all examples."""
    codes = list(product(range(setting.names), repeat=setting.k))
    examples = []
    for name in range(setting.names):
        for bits in product((0, 1), repeat=len(codes)):
            ones = sum(bits)
            chance = setting.bit**ones * (1 - setting.bit) ** (len(bits) - ones)
            examples.append((name, dict(zip(codes, bits, strict=True)), chance / setting.names))

    def inside(
        example: tuple[int, dict[tuple[int, ...], int], Fraction], code: tuple[int, ...]
    ) -> bool:
        return example[0] in code or bool(example[1][code])

    means = {code: sum(z[2] for z in examples if inside(z, code)) for code in codes}
    failure = Fraction(0)
    for drawn in product(examples, repeat=setting.n):
        weight = Fraction(1)
        for _, _, chance in drawn:
            weight *= chance
        kept = product({name for name, _, _ in drawn}, repeat=setting.k)
        shares = ((Fraction(sum(inside(z, c) for z in drawn), setting.n), means[c]) for c in kept)
        failure += weight * any(abs(share - mean) > deviation for share, mean in shares)
    return failure


@pytest.mark.parametrize(("n", "k", "names"), [(2, 1, 2), (3, 1, 2), (2, 1, 3), (2, 2, 2)])
def test_what_is_named_fails_as_often_as_all_samples_say(n: int, k: int, names: int) -> None:
    setting = Named(n, k, names, Fraction(1, 3), Fraction(1, 2))
    for deviation in (Fraction(0), Fraction(1, 5), Fraction(1, 3), Fraction(1, 2)):
        assert setting.failure(deviation) == failure_by_all_samples(setting, deviation)


def test_with_different_names_it_fails_no_more_often() -> None:
    setting = Named(4, 1, 1000, Fraction(1, 4), Fraction(1, 2))
    deviation = Fraction(3, 5)

    def far(ones: int, mean: Fraction) -> bool:
        return abs(Fraction(1 + ones, 4) - mean) > deviation

    found, exactly = setting.failure_apart(far), setting.failure(deviation)
    assert Fraction(9, 10) * exactly < found < exactly


def test_what_is_nearly_met_is_met_in_no_setting() -> None:
    assert all(setting.k < setting.n for k in (1, 2, 3) for setting in named(Budget.DEEP, k))
    assert all(setting.n >= 80 for setting in many_named.instances(Budget.DEEP))


def test_a_learner_that_tells_is_a_compression_scheme() -> None:
    masses = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6))
    scheme = Telling(masses, (2,), 2)
    assert check_scheme(scheme, scheme.family.domain, 2).valid
    # of {0, 2}, {0, 1, 2} and {1, 2} the last is off, by 1/2 - 1/3, whatever the labels
    assert {scheme.run(Sample([0, 0, 1], [y] * 3)).index for y in (0, 1)} == {1}
    # {0} is off by 2/3 - 1/2, and {1} is not
    assert Telling(masses, (), 1).run(Sample([0, 0, 1], [0, 1, 1])).index == 0


def test_each_round_is_chosen_by_what_was_told() -> None:
    asked = next(r for r in rounds.instances(Budget.QUICK) if r.name == "two thresholds")
    first = asked.play(Sample.from_examples([Example(0, 1), Example(1, 1)]))
    second = asked.play(Sample.from_examples([Example(0, 0), Example(1, 1)]))
    assert (first[0], second[0]) == ((1, 1), (0, 1))
    assert first[1] == (1, 1)
    assert second[1] in {(0, 0), (1, 1)}  # the other order has no set of the second point alone
