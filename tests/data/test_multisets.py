"""Multisets against sequences sorted and counted one by one."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product
from typing import cast

import pytest
from hypothesis import given, strategies as st

from pac_stability import data, errors

words = st.text("abc", max_size=6)
BIASED = data.FiniteDistribution({"a": Fraction(1, 2), "b": Fraction(1, 3), "c": Fraction(1, 6)})


@given(words, words)
def test_equality_is_equality_up_to_order(left: str, right: str) -> None:
    same = sorted(left) == sorted(right)
    assert (data.Multiset.of(left) == data.Multiset.of(right)) == same
    assert len({data.Multiset.of(left), data.Multiset.of(right)}) == 2 - same


@given(words)
def test_counts_and_elements(word: str) -> None:
    multiset = data.Multiset.of(word)
    assert len(multiset) == len(word)
    assert sorted(multiset.elements()) == sorted(word)
    assert dict(multiset.items()) == Counter(word)
    assert multiset.support == tuple(dict.fromkeys(word))
    assert all(multiset.count(letter) == word.count(letter) for letter in "abcd")
    assert data.Multiset({**dict(multiset.items()), "z": 0}) == multiset


@given(words)
def test_orderings_are_the_distinct_permutations(word: str) -> None:
    assert data.Multiset.of(word).orderings == len(set(permutations(word)))


@given(words.filter(len), st.sampled_from("abcd"))
def test_replace_add_and_remove_follow_the_sequence(word: str, new: str) -> None:
    multiset = data.Multiset.of(word)
    assert multiset.replace(word[0], new) == data.Multiset.of(new + word[1:])
    assert multiset.add(new) == data.Multiset.of(word + new)
    assert multiset.remove(word[0]) == data.Multiset.of(word[1:])
    assert multiset == data.Multiset.of(word)


@pytest.mark.parametrize("universe", ["", "a", "ab", "abc"])
@pytest.mark.parametrize("n", range(5))
def test_enumeration_has_every_type_once(universe: str, n: int) -> None:
    kinds = list(data.multisets(universe, n))
    assert {"".join(kind.elements()) for kind in kinds} == {
        "".join(sorted(word)) for word in product(universe, repeat=n)
    }
    assert len(kinds) == len(set(kinds)) == data.count_multisets(len(universe), n)
    assert sum(kind.orderings for kind in kinds) == len(universe) ** n


@pytest.mark.parametrize("n", range(5))
def test_law_of_the_type_is_the_image_of_the_power(n: int) -> None:
    law = data.multiset_distribution(BIASED, n)
    assert law == BIASED.power(n).map(data.Multiset.of)
    assert all(kind.probability(BIASED) == probability for kind, probability in law.items())


def test_a_multiset_outside_the_support_has_probability_zero() -> None:
    assert data.Multiset.of("ad").probability(BIASED) == 0


def test_samples_and_types() -> None:
    sample = data.Sample([1, 2, 1], [0, 1, 0])
    kind = data.Multiset.of(sample)
    assert kind.count(data.Example(1, 0)) == 2
    assert data.Sample.from_examples(kind.elements()) == data.Sample([1, 1, 2], [0, 0, 1])


@pytest.mark.parametrize(("call", "argument"), [
    (lambda: data.Multiset({"a": -1}), "counts"),
    (lambda: data.Multiset({"a": cast("int", 1.0)}), "counts"),
    (lambda: data.Multiset(cast("dict[str, int]", ["a"])), "counts"),
    (lambda: data.Multiset.of([[]]), "elements"),
    (lambda: data.Multiset.of("a").count([]), "element"),
    (lambda: data.Multiset.of("a").remove("b"), "element"),
    (lambda: data.Multiset.of("a").replace("b", "a"), "element"),
    (lambda: data.multisets("aa", 1), "universe"),
    (lambda: data.multisets("a", -1), "n"),
    (lambda: data.count_multisets(-1, 1), "universe_size"),
    (lambda: data.count_multisets(1, True), "n"),
])  # fmt: skip
def test_bad_arguments_are_named(call: Callable[[], object], argument: str) -> None:
    with pytest.raises(errors.InvalidInput) as caught:
        call()
    assert caught.value.argument == argument
