"""The line to write: what people draw with, and what has an exact law in its place."""

from __future__ import annotations

import pytest

from pac_stability.randomness.corrections import corrected

LINES = {
    # The eleven styles that were seen, and their relatives.
    "return random.random() < 0.25": "return rng.bernoulli(Fraction(1, 4))",
    "return rng.random() <= 1 / 3": "return rng.bernoulli(Fraction(1, 3))",
    "return 0.002 > np.random.rand()": "return rng.bernoulli(Fraction(1, 500))",
    "return random() < 0.5": "return rng.bernoulli(Fraction(1, 2))",
    "return random.random() < p": "return rng.random() < p",
    "return p > np.random.random_sample()": "return p > rng.random()",
    "return np.random.uniform(0, 1) < p": "return rng.uniform(0, 1) < p",
    "return labels[int(random.random() * len(labels))]": "return labels[rng.below(len(labels))]",
    "return labels[math.floor(n * rng.random())]": "return labels[rng.below(n)]",
    "return int(gen.random() * 3)": "return gen.below(3)",
    "return random.choice(labels)": "return rng.choice(labels)",
    "return secrets.choice(labels)": "return rng.choice(labels)",
    "return labels[secrets.randbelow(2)]": "return labels[rng.below(2)]",
    "return secrets.randbits(1)": "return rng.getrandbits(1)",
    "return random.randint(0, 1)": "return rng.randint(0, 1)",
    "return np.random.randint(0, 2)": "return rng.integers(0, 2)",
    "return numpy.random.choice(labels, p=[0.5, 0.5])": "return rng.choice(labels, p=[0.5, 0.5])",
    "random.shuffle(labels)": "rng.shuffle(labels)",
    "order = np.random.permutation(3)": "order = rng.permutation(3)",
    "noise = np.random.binomial(2, 0.5)": "noise = rng.binomial(2, 0.5)",
    "gen = np.random.default_rng()": "gen = rng",
    "gen = np.random.default_rng(rng)": "gen = rng",
    "gen = random.Random()": "gen = rng",
    "n = count + rng.laplace(0, 2.0)": (
        "n = DiscreteLaplace(decay_for('1/2', 1), low=0, high=len(sample)).run(count, rng)"
    ),
    "n = np.random.laplace(scale=1 / 0.5) + count": (
        "n = DiscreteLaplace(decay_for('1/2', 1), low=0, high=len(sample)).run(count, rng)"
    ),
    # What it does not know it leaves alone.
    "return labels[0]": "",
    "return rng.random() < p": "",
    "return int(rng.random() * 2.5)": "",
    "return rng.random() < 1.5": "",
    "n = count + rng.laplace(1, 2)": "",
    "n = count + rng.laplace(0, scale)": "",
    "n = count + rng.normal()": "",
    "gen = np.random.default_rng(seed)": "",
}


@pytest.mark.parametrize("line", LINES)
def test_a_line_is_corrected(line: str) -> None:
    program = ["def learn(sample, point, rng):", f"    {line}"]
    assert corrected(program, 2) == LINES[line]


def test_the_coins_have_the_name_that_they_have() -> None:
    program = ["def learn(sample, point, random_state):", "    return random.random() < 0.5"]
    assert corrected(program, 2) == "return random_state.bernoulli(Fraction(1, 2))"


def test_coins_that_are_missing_are_said() -> None:
    program = ["def learn(sample, point):", "    return random.choice(sample.labels)"]
    told = "(with the coins as last parameter: sample, point, rng)"
    assert corrected(program, 2) == f"return rng.choice(sample.labels) {told}"


def test_the_head_of_a_statement_is_what_is_shown() -> None:
    program = [
        "def learn(sample, point, rng):",
        "    if random.random() < 0.5:",
        "        return 1",
        "    return (",
        "        random.choice(",
        "            sample.labels))",
    ]
    assert corrected(program, 2) == "if rng.bernoulli(Fraction(1, 2)):"
    assert corrected(program, 3) == ""
    assert corrected(program, 5) == "return rng.choice(sample.labels)"


@pytest.mark.parametrize(
    "program", [[], ["def learn("], ["x = 1"], ["\0"], [f"x = random.random() * {'1' * 300}"]]
)
def test_what_cannot_be_read_is_not_corrected(program: list[str]) -> None:
    assert corrected(program, 1) == ""
    assert corrected(program, 9) == ""
