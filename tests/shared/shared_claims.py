"""Claims that are made up, to be run, kept and written about."""

import dataclasses

from pac_stability import claims
from pac_stability.claims.kit import settle


def squares(least: int) -> claims.Trial:
    """Whether squares are as large as their roots, from a number on."""
    return claims.trial(
        "squares | numbers",
        lambda power, x: settle(x**power >= x, f"{x}**{power} < {x}"),
        lambda budget: range(least, budget.pick(3, 30, 300)),
        subject=2,
        mutant=-1,
        universe=f"integers from {least} on",
        extent="numbers up to 9",
    )


def squares_of_negative() -> claims.Trial:
    """What fails at once."""
    return claims.trial(
        "inverse",
        lambda power, x: settle(x**power == 0, f"{x}**{power} is not 0"),
        lambda _: range(1, 3),
        subject=-1,
        universe="1 and 2",
    )


def made_up() -> tuple[claims.Claim, ...]:
    """A lemma, a theorem that uses it, its explicit form, and a remark of another paper."""
    lemma = claims.Claim(
        key="BLM20:lemma-1",
        kind=claims.Kind.LEMMA,
        title="Squares grow",
        statement="For all x_0, x_0*x_0 >= |x_0|.",
        latex="For all $x_0$, $x_0^2 \\ge |x_0|$.",
        code=("dimensions.littlestone",),
        trials=(squares(1),),
        whose=claims.Whose.PRINTED,
        where="Section 1",
        version="FOCS 2020",
    )
    theorem = dataclasses.replace(
        lemma,
        key="BLM20:theorem-2",
        code=("notions.domination.Domination.then", "dimensions.littlestone"),
        trials=(squares(-1),),
        expectation=claims.Expectation.HOLDS,
        uses=("BLM20:lemma-1",),
        explicit="BLM20:theorem-2.explicit",
    )
    explicit = dataclasses.replace(
        lemma, key="BLM20:theorem-2.explicit", uses=("BLM20:theorem-2", "DF20:remark-3")
    )
    remark = dataclasses.replace(
        lemma,
        key="DF20:remark-3",
        method=claims.Method.ASYMPTOTIC,
        expectation=claims.Expectation.RECORDED,
        trials=(),
        note="See # 4.",
    )
    return lemma, theorem, explicit, remark
