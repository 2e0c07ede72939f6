"""What a person means who names an item, and which claims are about an object."""

import numpy as np
import pytest

import pac_stability as ps
from pac_stability import InvalidInput, claims, dimensions, papers
from pac_stability.claims.search import read_item
from pac_stability.papers.bun_livni_moran import GloballyStableLearner
from pac_stability.papers.bun_livni_moran.formulas import FrequencyThreshold
from shared_refusals import refuses


def keys(found: tuple[claims.Claim, ...]) -> list[str]:
    return [claim.key for claim in found]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Lemma 12", ["BLM20:lemma-12"]),
        ("lemma-12", ["BLM20:lemma-12"]),
        ("BLM20 lemma 12", ["BLM20:lemma-12"]),
        ("blm20:Lemma-12", ["BLM20:lemma-12"]),
        ("Lemma 12 of Bun, Livni and Moran", ["BLM20:lemma-12"]),
        ("lemma 12 repaired", ["BLM20:lemma-12.repaired"]),
        ("BLM20:lemma-12.repaired", ["BLM20:lemma-12.repaired"]),
        ("Thm. 3", ["DF20:theorem-3", "BLM20:theorem-3"]),
        ("thm 3 (Dagan and Feldman)", ["DF20:theorem-3"]),
        ("Cummings et al., Lemma 16", ["CLNRW16:lemma-16"]),
        ("Remarks 14", ["DF20:remark-14"]),
        ("section 1.1 lines", ["DF20:section-1.1.lines"]),
        ("Algorithm G", ["BLM20:algorithm-g"]),
        ("eq. 13", ["DF20:equation-13"]),
        # A part of an item is in the claim of the item.
        ("Theorem 34.2", ["CLNRW16:theorem-34"]),
        ("Theorem 34, part 2", ["CLNRW16:theorem-34"]),
        ("Theorem 34 (2)", ["CLNRW16:theorem-34"]),
        ("lemma-8*", ["DF20:lemma-8", "DF20:lemma-8.repaired"]),
        ("*:lemma-8", ["DF20:lemma-8"]),
        # What has no claim of its own is settled in parts.
        ("DF20 Lemma 7", ["DF20:lemma-7.privacy", "DF20:lemma-7.stability",
                          "DF20:lemma-7.utility", "DF20:lemma-7.sharp"]),
    ],
)  # fmt: skip
def test_what_a_text_means(text: str, meant: list[str]) -> None:
    assert keys(claims.meant(text)) == meant
    assert keys(claims.select([text])) == meant


def test_every_key_means_itself_and_every_item_its_key_too() -> None:
    for claim in claims.all():
        assert claims.meant(claim.key) == (claim,)
        assert claim in claims.meant(claim.item)
        assert claim in claims.find(claim.key)


def test_a_part_of_nothing_is_nothing() -> None:
    for text in ("BLM20 Theorem 34.2", "Theorem 13.1", "Section 1.7"):
        refuses("", claims.meant, text)


@pytest.mark.parametrize("text", ["BLM20", "blm20:", "Bun, Livni and Moran"])
def test_a_paper_is_all_that_is_in_it(text: str) -> None:
    assert claims.meant(text) == tuple(c for c in claims.all() if c.paper == "BLM20")


def test_several_texts_are_joined_in_the_order_of_the_papers() -> None:
    assert keys(claims.select(["Lemma 12", "DF20 Theorem 3", "lemma-12"])) == [
        "DF20:theorem-3", "BLM20:lemma-12",
    ]  # fmt: skip
    assert len(claims.select(["Lemma 13"])) > 2


@pytest.mark.parametrize(("text", "said"), [
    ("Theorem 13 of BLM20", "Theorem 13 is not in BLM20, where 13 is Lemma 13"),
    (
        "theorem-13",
        "Theorem 13 is in none of them; 13 is Lemma 13 in DF20, 13 is Lemma 13 in BLM20, "
        "13 is Definition 13 in CLNRW16",
    ),
    ("BLM20 Theorem 18", "Theorem 18 is not in BLM20, which ends with Theorem 17"),
    ("DF20 Theorem 19", "Theorem 19 is not in DF20, where 19 is Lemma 19"),
    ("Lemma 0", "DF20 ends with Lemma 19"),
    ("lemm 12", "the nearest are BLM20:lemma-12"),
    ("DF20:no-such", "the nearest are DF20:"),
    ("", "the nearest are"),
    ("*x*y*z*w", "the nearest are"),
    ("lemma-" + 5000 * "9", "...', want an item of the papers; the nearest are"),
])  # fmt: skip
def test_what_is_said_of_an_item_that_there_is_not(text: str, said: str) -> None:
    for ask in (claims.meant, claims.find):
        with pytest.raises(InvalidInput) as told:
            ask(text)
        assert said in str(told.value)


def test_a_key_is_looked_up_exactly_and_the_message_has_the_one_that_was_meant() -> None:
    refuses(r"BLM20:lemma-12$", claims.get, "Lemma 12")


def test_find_has_all_that_is_about_an_item() -> None:
    found = keys(ps.claims.find("Lemma 12"))
    assert {"BLM20:lemma-12", "BLM20:lemma-12.repaired", "BLM20:lemma-12.independence"} <= {*found}
    assert all(key.startswith("BLM20:lemma-12") for key in found)


def test_find_has_what_has_all_the_words() -> None:
    assert "CLNRW16:theorem-24.explicit" in keys(claims.find("thresholds one example"))
    for claim in claims.find("thresholds one example"):
        text = f"{claim.key} {claim.title} {claim.statement} {claim.note}".lower()
        assert all(word in text for word in ("thresholds", "one", "example"))
    refuses("", claims.find, "thresholds xyzzy")


def test_a_reading_of_an_item_is_a_value() -> None:
    assert read_item("Thm 3 of DF20") == read_item("DF20:theorem-3")
    assert read_item("theorem 3").papers == ("DF20", "BLM20", "CLNRW16")


# Objects


def by_hand(part: str) -> list[str]:
    return [c.key for c in claims.all() if any(part in name.split(".") for name in c.code)]


def test_about_an_object_and_about_its_name() -> None:
    wanted = by_hand("FrequencyThreshold")
    assert wanted
    for thing in (
        FrequencyThreshold,
        FrequencyThreshold(2),
        "FrequencyThreshold",
        "formulas.FrequencyThreshold",
        "papers.bun_livni_moran.formulas.FrequencyThreshold",
        "pac_stability.papers.bun_livni_moran.formulas.FrequencyThreshold",
    ):
        assert keys(ps.claims.about(thing)) == wanted


def test_a_class_is_spoken_of_where_its_method_is_and_a_module_where_something_of_it_is() -> None:
    mine = keys(claims.about(GloballyStableLearner))
    assert keys(claims.about(GloballyStableLearner.global_stability)) == [
        "BLM20:theorem-10.dimension-one"
    ]
    assert {"BLM20:theorem-10.dimension-one", "BLM20:theorem-10.proof"} <= {*mine}
    assert {*mine} < {*keys(claims.about(papers.bun_livni_moran))}
    assert {*keys(claims.about(dimensions.growth_function))} < {*keys(claims.about("dimensions"))}


def test_one_function_under_several_names() -> None:
    assert keys(claims.about(dimensions.littlestone_dimension)) == keys(
        claims.about(ps.littlestone_dimension)
    )


def test_about_what_is_not_spoken_of() -> None:
    assert claims.about(np.sum) == ()
    assert claims.about(3) == ()
    for name in ("TournamentDistrib", "", "..", "\0", "os.path", "no such thing", 5000 * "x"):
        refuses(r"object: got .* want one of the library", claims.about, name)
    refuses("TournamentDistribution", claims.about, "TournamentDistrib")
