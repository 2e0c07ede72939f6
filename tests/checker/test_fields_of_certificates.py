"""Each field of a certificate, at the borders of what it may be."""

import math
from fractions import Fraction
from typing import Any

import pytest

from pac_stability.checker import fields, notions
from pac_stability.errors import InvalidInput
from shared_refusals import refuses

HALF = Fraction(1, 2)
INSTANCE = fields.StatedInstance(
    labelled=False, universe=(), n=1, points=(), epsilon_ratio=Fraction(1), delta=Fraction(0),
    beta=Fraction(0), optimum=Fraction(0), relation="replace-one", group_size=1,
    distribution=None, symmetry="none", sizes=range(1, 2),
)  # fmt: skip


def limits() -> fields.Limits:
    return fields.Limits(1 << 10, 0)


def test_what_came_in_is_shown_in_sixty_characters() -> None:
    fits, too_long = "x" * 58, "y" * 59  # and two quotes
    assert fields.refuse("it", fits, "less").given == repr(fits)
    assert fields.refuse("it", too_long, "less").given == repr(too_long)[:57] + "..."
    enormous = 1 << 20_000
    assert fields.refuse("it", enormous, "less").given == "an enormous value"
    refusal = fields.refuse("it", 3, "less")
    assert (refusal.argument, refusal.given, refusal.wanted) == ("it", "3", "less")


@pytest.mark.parametrize(("number", "words"), [
    (math.inf, "infinity"),
    (Fraction(0), "0"),
    (Fraction(-3), "-3"),
    (HALF, "1/2 (0.5)"),
    (Fraction(2, 3), "2/3 (0.6667)"),
    (Fraction((1 << 128) - 1), str((1 << 128) - 1)),
    (Fraction(1 << 128), "about 3.403e+38"),
    # Together 64 and 64 bits, and one more.
    (Fraction(1 << 63, 3**40), f"{1 << 63}/{3**40} (0.7586)"),
    (Fraction(1 << 64, 3**40), "about 1.517"),
    # Too large for a float.
    (Fraction(1 << 2000), "about 2^2000"),
    (Fraction(1 << 2000, 3), "about 2^1999"),
])  # fmt: skip
def test_numbers_in_words(number: fields.Number, words: str) -> None:
    assert fields.in_words(number) == words


def test_objects_have_their_keys_and_no_other() -> None:
    assert fields.as_object({"a": 1, "b": 2}, "it", ("a", "b")) == {"a": 1, "b": 2}
    for given, wanted in (
        ([], "it: got [], want an object with the keys a, b"),
        ({"a": 1}, "it: got no field 'b', want the keys a, b"),
        ({"a": 1, "b": 2, "c": 3}, "it: got 'c', want only the keys a, b"),
    ):
        with pytest.raises(InvalidInput) as refusal:
            fields.as_object(given, "it", ("a", "b"))
        assert str(refusal.value) == wanted


def test_lists_and_texts() -> None:
    assert fields.as_list([1, 2], "it") == fields.as_list([1, 2], "it", 2) == [1, 2]
    assert fields.as_list([], "it", 0) == []
    assert fields.as_text("a", "it") == fields.as_text("a", "it", ("a", "b")) == "a"
    wrong: list[tuple[Any, str]] = [
        (lambda: fields.as_list((1,), "it"), "it: got (1,), want a list"),
        (lambda: fields.as_list([1], "it", 2), "it: got [1], want a list of 2"),
        (lambda: fields.as_list([1], "it", 0), "it: got [1], want a list of 0"),
        (lambda: fields.as_list("ab", "it", 2), "it: got 'ab', want a list of 2"),
        (lambda: fields.as_text(1, "it"), "it: got 1, want text"),
        (lambda: fields.as_text("c", "it", ("a", "b")), "it: got 'c', want one of a, b"),
    ]
    for call, message in wrong:
        with pytest.raises(InvalidInput) as refusal:
            call()
        assert str(refusal.value) == message


def test_sizes_probabilities_and_parameters() -> None:
    assert (fields.as_size(0, "it"), fields.as_size(1, "it", 1), fields.as_size(5, "it", 1)) == (
        0,
        1,
        5,
    )
    for size, least in ((-1, 0), (0, 1), (True, 0), ("1", 0), (1.0, 0)):
        refuses(f"it: got .*, want an integer .* least {least}", fields.as_size, size, "it", least)
    assert [fields.as_probability(p, "it", limits()) for p in ("0", "1/2", "1")] == [0, HALF, 1]
    for probability in ("-1/9", "10/9"):
        refuses("a number from 0 to 1", fields.as_probability, probability, "it", limits())
    assert fields.as_parameter("infinity", "it", limits()) == math.inf
    assert fields.as_parameter("7/2", "it", limits()) == Fraction(7, 2)


def test_keys_of_values_and_objects() -> None:
    assert fields.as_key({"object": 1}, "it", objects=2) == "object 1"
    assert fields.as_key(["x", [None, 1.5]], "it") == '("x",(none,3/2))'
    wrong: list[object] = [
        {"object": 2}, {"object": -1}, {"object": True}, {"object": "0"}, {"fraction": 1}, {},
        {"object": 0, "fraction": "1"}, math.inf, math.nan, object(), [{"object": 0}],
    ]  # fmt: skip
    for value in wrong:
        refuses("a plain value, or an object of the table", fields.as_key, value, "it", objects=2)
    refuses("an object of the table", fields.as_key, {"object": 0}, "it")


def test_elements_are_examples_or_records() -> None:
    assert fields.as_element(["x", 1], "it", labelled=True) == 'example "x" 1'
    assert fields.as_element(["x", 1], "it", labelled=False) == '("x",1)'
    for element in (["x", 2], ["x", -1], ["x", True], ["x", "1"]):
        refuses("the label 0 or 1", fields.as_element, element, "it", labelled=True)
    for longer in (["x"], ["x", 1, 1]):
        refuses("a list of 2", fields.as_element, longer, "it", labelled=True)


def test_laws_are_positive_distinct_and_sum_to_one() -> None:
    forms = [[0, "1/3"], [{"object": 0}, "2/3"]]
    law = {"0": Fraction(1, 3), "object 0": Fraction(2, 3)}
    assert fields.as_law(forms, "it", 1, limits()) == law
    wrong: list[tuple[object, int, str]] = [
        (forms, 0, "an object of the table"),
        ([[0, "1"], [1, "0"]], 0, "it: got '0', want positive probabilities"),
        ([[0, "3/2"], [1, "-1/2"]], 0, "positive probabilities"),
        ([[0, "1/2"], [0, "1/2"]], 0, "it: got an outcome twice, want each outcome once"),
        ([[0, "1/2"]], 0, "it: got probabilities of another sum, want a sum of exactly 1"),
        ([[0, "1/2"], [1, "2/3"]], 0, "a sum of exactly 1"),
        ([], 0, "a sum of exactly 1"),
        ([[0, "1", "2"]], 0, "a list of 2"),
    ]
    for given, objects, message in wrong:
        refuses(message, fields.as_law, given, "it", objects, limits())
    assert fields.checked_law([("a", HALF), ("b", HALF)], "it", limits()) == {"a": HALF, "b": HALF}
    assert fields.mass(["object 0", "7"], law, limits()) == Fraction(2, 3)
    assert fields.total([], limits()) == 0


@pytest.mark.parametrize(
    ("numerator", "denominator"), [(8192, 4096), (4096, 8192), (4096, 4096), (256, 512), (9000, 1)]
)
def test_the_steps_of_a_number(numerator: int, denominator: int) -> None:
    """The bits of the denominator times those of the longer one, by 2^17."""
    number = Fraction((1 << numerator) - 1, 1 << (denominator - 1))
    steps = denominator * max(numerator, denominator) // (1 << 17)
    counted = fields.Limits(1 << 14, steps)
    assert fields.add(Fraction(0), number, counted) == number
    assert (counted.spent, counted.left) == (steps, 0)
    if steps:
        with pytest.raises(
            fields.TooLongError, match=f"certificate: got more than {steps - 1} steps"
        ):
            fields.add(Fraction(0), number, fields.Limits(1 << 14, steps - 1))


def test_steps_add_up_to_the_limit() -> None:
    counted = fields.Limits(8, 10, 3)
    counted.spend(4, "it")
    assert (counted.spent, counted.left) == (7, 3)
    with pytest.raises(
        fields.TooLongError, match="it: got more than 10 steps of work, want more max_st"
    ):
        counted.spend(4, "it")
    assert counted.spent == 7
    counted.spend(3, "it")
    assert (counted.spent, counted.left, fields.Limits(8, 10).spent) == (10, 0, 0)


@pytest.mark.parametrize("notion", ["global-stability", "accuracy"])
def test_a_claim_is_kept_by_what_meets_it(notion: str) -> None:
    def fails(value: fields.Number, claim: Fraction | None) -> bool:
        return fields.Case(
            notion, notions.NOTIONS[notion], claim, INSTANCE, [], limits()
        ).claim_fails(value)

    below, above = fails(Fraction(1, 3), HALF), fails(Fraction(2, 3), HALF)
    assert (below, above) == ((True, False) if notion == "global-stability" else (False, True))
    assert not fails(HALF, HALF)
    assert not any(fails(value, None) for value in (Fraction(0), Fraction(1), math.inf))
    assert fails(math.inf, HALF) == (notion == "accuracy")
