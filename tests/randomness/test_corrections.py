"""The line to write: what people draw with, and what has an exact law in its place."""

import importlib.util
import math
import os
import random
import re
import secrets
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from pac_stability import Neighbouring, audit
from pac_stability.randomness.corrections import corrected

KNOWN = {
    "random": random, "np": np, "numpy": np, "secrets": secrets, "math": math, "os": os,
    "draw": random.random, "pick": random.choice, "ours": len, "n": 3, "half": 0.5,
}  # fmt: skip

LINES = {
    "return random.random() < 0.25": "return rng.random() < 0.25",
    "return 0.002 > np.random.rand()": "return 0.002 > rng.random()",
    "return draw() < 0.5": "return rng.random() < 0.5",
    "return 0.2 < np.random.sample() < p": "return 0.2 < rng.random() < p",
    "return np.random.random_sample(3) < p": "return rng.random(3) < p",
    "return np.random.uniform(0, 1) < p": "return rng.uniform(0, 1) < p",
    "return labels[int(random.random() * half)]": "return labels[int(rng.random() * half)]",
    "return min(random.random(), p)": "return min(rng.random(), p)",
    "return random.random() < random.random()": "return rng.random() < rng.random()",
    "return np.random.sample(3) * 2": "return rng.random(3) * 2",
    "return random.random() == p": "return rng.random() == p",
    "return random.choice(labels)": "return rng.choice(labels)",
    "return pick(labels)": "return rng.choice(labels)",
    "return secrets.choice(labels)": "return rng.choice(labels)",
    "return labels[secrets.randbelow(2)]": "return labels[rng.below(2)]",
    "return secrets.randbits(1)": "return rng.getrandbits(1)",
    "return os.urandom(1)[0] & 1": "return rng.randbytes(1)[0] & 1",
    "return random.randint(0, 1)": "return rng.randint(0, 1)",
    "return np.random.randint(0, 2)": "return rng.integers(0, 2)",
    "return numpy.random.choice(labels, p=[0.5, 0.5])": "return rng.choice(labels, p=[0.5, 0.5])",
    "random.shuffle(labels)": "rng.shuffle(labels)",
    "order = np.random.permutation(3)": "order = rng.permutation(3)",
    "if random.random() < 0.5: return 1": "if rng.random() < 0.5: return 1",
    "return np.random.default_rng().choice(labels)": "return rng.choice(labels)",
    "gen = np.random.default_rng(seed)": "gen = rng",
    "g = lambda coins: random.choice(labels)": "g = lambda coins: coins.choice(labels)",
    "random.seed(4)": "pass",
    "return np.random.geometric(0.5)": "return rng.geometric(0.5)",
    "return random.gauss(0, 1) > 0": "return rng.gauss(0, 1) > 0",
    # What it does not know, or would be refused again, it leaves alone.
    **dict.fromkeys(
        (
            "return labels[0]",
            "return rng.random() < p",
            "return int(rng.random() * 2.5)",
            "return random() < 0.5",  # here the name is that of the module
            "return ours() < 0.5",
            "return unknown.random() < 0.5",
            "n = count + rng.laplace(0, 2.0)",
            "self.gen = random.Random()",
        ),
        "",
    ),
}


@pytest.mark.parametrize("line", LINES)
def test_a_line_is_corrected(line: str) -> None:
    program = ["def learn(sample, point, rng):", f"    {line}"]
    assert corrected(program, 2, KNOWN) == LINES[line]


HEADS = {
    "def learn(sample, point, random_state):": "return random_state.random() < 0.5",
    "def learn(sample, point):": (
        "return rng.random() < 0.5 (with the coins as last parameter: sample, point, rng)"
    ),
    "def learn(sample, point=0):": "",
    "def learn(sample, *, point):": "",
}


@pytest.mark.parametrize("head", HEADS)
def test_the_coins_have_the_name_that_they_have(head: str) -> None:
    program = [head, "    return random.random() < 0.5"]
    assert corrected(program, 2, KNOWN) == HEADS[head]


def test_the_head_of_a_statement_is_what_is_shown() -> None:
    program = [
        "def learn(sample, point, rng):",
        "    if sample:",
        "        pass",
        "    elif random.random() < 0.5:",
        "        return 1",
        "    return (",
        "        random.choice(",
        "            sample.labels))",
        "    def inner(n):",
        "        return random.choice(n)",
    ]
    said = {4: "elif rng.random() < 0.5:", 7: "return rng.choice(sample.labels)"}
    for number in range(1, 9):
        within = number if number < 6 else 7
        assert corrected(program, number, KNOWN) == said.get(within, "")
    assert corrected(program, 10, KNOWN) == "return rng.choice(n)"
    # Who calls a function without coins would have to change as well.
    assert corrected(["def f(n):", "    return random.choice(n)"], 2, KNOWN, helper=True) == ""


@pytest.mark.parametrize(
    "program", [[], ["def learn("], ["x = 1"], ["\0"], [f"x = random.random() * {'1' * 300}"]]
)
def test_what_cannot_be_read_is_not_corrected(program: list[str]) -> None:
    assert corrected(program, 1, KNOWN) == ""
    assert corrected(program, 9, KNOWN) == ""


# Every correction is pasted into the program that caused it, and audited

HEAD = """\
import math, os, random, secrets
import numpy as np
import numpy.random as npr
from random import choice, random as draw
from secrets import randbelow

def parity(rows):
    return sum(rows) % 2

def learn(rows{coins}):
"""
# e^epsilon is the largest ratio of the two probabilities that the parity is told with.
PASTED = {
    "return parity(rows) ^ (random.random() < 0.25)": 3,
    "return parity(rows) ^ int(draw() < 0.25)": 3,
    "return parity(rows) ^ int(0.75 <= npr.random())": 3,
    "return parity(rows) ^ int(np.random.uniform(0, 4) < 1)": 3,
    "return parity(rows) ^ int((np.random.random(2) < 0.5).all())": 3,
    "return parity(rows) ^ (random.randrange(4) == 0)": 3,
    "return parity(rows) ^ (np.random.randint(4) == 0)": 3,
    "return parity(rows) ^ (randbelow(4) == 0)": 3,
    "return parity(rows) ^ (secrets.randbits(2) == 0)": 3,
    "return parity(rows) ^ (os.urandom(1)[0] < 64)": 3,
    "return parity(rows) ^ (int(random.random() * 4) == 0)": 3,
    "return parity(rows) ^ (math.floor(4 * npr.rand()) == 0)": 3,
    "return parity(rows) ^ choice([0, 0, 0, 1])": 3,
    "return parity(rows) ^ int(np.random.choice(2, p=[0.75, 0.25]))": 3,
    "return parity(rows) ^ int(np.random.binomial(1, 0.25))": 3,
    "return parity(rows) ^ random.sample([0, 0, 0, 1], 1)[0]": 3,
    "return parity(rows) ^ int(np.random.permutation(4)[0] == 0)": 3,
    "return parity(rows) ^ int(np.random.default_rng().integers(4) == 0)": 3,
    "return parity(rows) ^ int(np.random.RandomState().randint(0, 4) == 0)": 3,
    "return parity(rows) ^ int(np.random.RandomState(7).randint(4) == 0)": 3,
    "gen = np.random.RandomState()\n    return parity(rows) ^ (gen.bytes(1)[0] < 64)": 3,
    "own = secrets.SystemRandom()\n    return parity(rows) ^ (own.random() < 0.25)": 3,
    "gen = np.random.default_rng()\n    return parity(rows) ^ (gen.random() < 0.25)": 3,
    "g = np.random.Generator(np.random.PCG64())\n    return parity(rows) ^ (g.random() < 0.25)": 3,
    "gen = random.Random()\n    return parity(rows) ^ gen.choice([0, 0, 0, 1])": 3,
    "u = random.random()\n    return parity(rows) if u < 0.75 else 1 - parity(rows)": 3,
    "if random.random() < 0.25: return 1 - parity(rows)\n    return parity(rows)": 3,
    "return sum(parity(rows) ^ (random.random() < 0.25) for _ in 'a')": 3,
    "return parity(rows) ^ int(random.random() < 0.5 and random.choice([0, 1]))": 3,
    "flips = [0, 0, 0, 1]\n    random.shuffle(flips)\n    return parity(rows) ^ flips[0]": 3,
}


def _module(path: Path, text: str) -> ModuleType:
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("coins", ["", ", rng", ", gen_1, gen", ", random_state"])
@pytest.mark.parametrize("body", PASTED)
def test_every_correction_is_pasted_and_audited(body: str, coins: str, tmp_path: Path) -> None:
    if ", gen" in coins and "gen" in body:
        coins = ", prng"
    coins = coins.removeprefix(", gen_1")  # a name that only looks like one of the coins
    text = f"{HEAD.format(coins=coins)}    {body}\n"
    program = _module(tmp_path / "before.py", text).learn
    for relation in Neighbouring:
        with pytest.raises(audit.SubjectFailure) as caught:
            audit.differential_privacy(program, 2, 2, labelled=False, relation=relation)
    told = re.search(
        r"line (\d+) .*; write: (.+?)(?: \(with the coins as last .*: (.*)\))?$", str(caught.value)
    )
    assert told is not None, str(caught.value)
    line, better, parameters = told.groups()
    lines = text.splitlines()
    before = lines[int(line) - 1]
    lines[int(line) - 1] = before[: len(before) - len(before.lstrip())] + better
    if parameters:
        lines[HEAD.count("\n") - 1] = f"def learn({parameters}):"
    learn = _module(tmp_path / "after.py", "\n".join(lines)).learn
    for relation in Neighbouring:
        found = audit.differential_privacy(
            learn, 2, 2, labelled=False, relation=relation, claim="1.0987"
        )
        assert (found.value, found.verdict) == (Fraction(PASTED[body]), audit.Verdict.VERIFIED)


NOISE = {
    # What is written, with what the line becomes: noise by the inverse of its distribution.
    "return max((0, 1), key=lambda i: q[i] - math.log(-math.log(rng.random()))) == 0":
        "return max((0, 1), key=lambda i: q[i] + rng.gumbel()) == 0",
    "return int(np.argmax([v + -np.log(-np.log(rng.uniform(0, 1))) for v in q]))":
        "return int(np.argmax([v + rng.gumbel() for v in q]))",
    "u = rng.random() - 0.5; return q[0] - 2 * math.copysign(1, u) * math.log(1 - 2 * abs(u)) > 1":
        "return q[0] - rng.laplace(0, 2) > 1",
    "u = rng.uniform(-1, 1); return q[0] - 2.0 * np.sign(u) * np.log(1 - np.abs(u)) > 1":
        "return q[0] - rng.laplace(0, 2.0) > 1",
    "u = rng.random() - 0.5; return q[0] - math.copysign(2 / 3, u) * math.log(1 - 2 * abs(u)) > 1":
        "return q[0] - rng.laplace(0, 2 / 3) > 1",
    "u = rng.random(); s = rng.choice([-1, 1]); return q[0] + s * math.log(u) / 2 > 1":
        "return q[0] + -s * rng.exponential() / 2 > 1",
    "return q[0] - 2 * math.log(1 - rng.random()) > 1": "return q[0] + 2 * rng.exponential() > 1",
    "return {x + rng.geometric(0.5) for x in q}":
        "return sorted((x + rng.geometric(0.5) for x in q))",
    "z = q[0] + rng.laplace(0, 2); n = 2 + rng.laplace(0, 2); return z / n > 0":
        "return z > 0 * n if n > 0 else z < 0 * n",
    "return q[rng.randint(0, len(q))] ^ rng.integers(2)":
        "return q[rng.integers(0, len(q))] ^ rng.integers(2)",
    "return q[0] - math.log(1 - rng.random()) / 2 > 1": "return q[0] + rng.exponential() / 2 > 1",
    "u = rng.random(); return q[0] - math.log(u) * 3 > 1":
        "return q[0] + rng.exponential() * 3 > 1",
    "u, v = rng.random(), rng.random(); "
    "return q[0] + 2 * math.sqrt(-2 * math.log(u)) * math.cos(2 * math.pi * v) > 1":
        "return q[0] + rng.normal(0, 2) > 1",
    "return q[0] + math.floor(math.log(rng.random()) / math.log(0.5)) > 1":
        "return q[0] + (rng.geometric(1 - 0.5) - 1) > 1",
    "return q[0] + stats.laplace.ppf(rng.random(), scale=2) > 1":
        "return q[0] + stats.laplace.rvs(scale=2, random_state=rng) > 1",
    "return q[0] + stats.laplace.rvs(scale=2) > 1":
        "return q[0] + stats.laplace.rvs(scale=2, random_state=rng) > 1",
    "return q[0] + stats.norm(0, 2).rvs(size=1)[0] > 1":
        "return q[0] + stats.norm(0, 2).rvs(size=1, random_state=rng)[0] > 1",
    # What would decide a number with noise: it is published as it is, or as a whole number.
    "z = q[0] + rng.laplace(0, 2); return int(z)": "return math.trunc(z)",
    "z = q[0] + rng.laplace(0, 2); return int(np.round(z))": "return np.round(z)",
    "z = q[0] + rng.laplace(0, 2); return float(z)": "return z",
    "z = q[0] + rng.laplace(0, 2); return np.float64(z)": "return z",
    "z = np.bincount(q, minlength=2) * 1.0; z += rng.laplace(0, 2, size=2); return z[0] > 1":
        "z = z + rng.laplace(0, 2, size=2)",
    "z = q[0] + rng.laplace(0, 2); return str(round(z))": "return round(z)",
    "z = q[0] + rng.laplace(0, 2); return f'{z:.1f}'": "return z",
    "z = q[0] + rng.laplace(0, 2); return f'{z:.3g}'": "return z",
    "z = q[0] + rng.laplace(0, 2); return f'share {z / 2:8.0%} of {len(q)}'":
        "return (z / 2, len(q))",
    "z = q[0] + rng.laplace(0, 2); return '%.2f' % z": "return z",
    "z = q[0] + rng.laplace(0, 2); return '%d of %s' % (z, len(q))":
        "return (z, len(q))",
    "z = q[0] + rng.laplace(0, 2); return 'count {}'.format(z)": "return z",
    "z = q[0] + rng.laplace(0, 2); return '{1}: {0:.1f}{k}'.format(z, 'a', k=1)":
        "return (z, 'a', 1)",
    "z = q[0] + rng.laplace(0, 2); return format(z, '.0f')": "return z",
    "z = q[0] + rng.laplace(0, 2); print('noisy:', z); return z > 1": "pass",
    "z = q[0] + rng.laplace(0, 2); return json.dumps({'count': z})": "return {'count': z}",
    "z = {'count': q[0] + rng.laplace(0, 2)}; return json.dumps(z)": "return z",
    "z = q[0] + rng.laplace(0, 2); return math.exp(z)": "return z",
    "return math.log1p(max(0, q[0] + rng.laplace(0, 2)))":
        "return max(0, q[0] + rng.laplace(0, 2))",
    "z = q[0] + rng.laplace(0, 2); n = 2 + rng.laplace(0, 2); return z / n": "return (z, n)",
    "z = q[0] + rng.laplace(0, 2); return {'a': np.exp(z)}": "return {'a': z}",
    "z = q[0] + rng.laplace(0, 2); return math.log(max(z, 1))": "return max(z, 1)",
    "z = q[0] + rng.laplace(0, 2); return math.exp(z) >= 2": "return z >= math.log(2)",
    "z = q[0] + rng.laplace(0, 2); x = math.exp(z); return x > 2":
        "return z > math.log(2) (at line 7, without line 6)",
    "z = q[0] + rng.laplace(0, 2); w = math.exp(-z); return w / 2, q[0]":
        "return (-z / 2, q[0]) (at line 7, without line 6)",
    "z = q[0] + rng.laplace(0, 2); x = np.exp(-z); p = 1 / (1 + x); return p >= 0.4":
        "return -z <= np.log(1 / 0.4 - 1) (at line 8, without lines 6, 7)",
    "z = q[0] + rng.laplace(0, 2); return int(3 * math.exp(z) - 1 > 2)":
        "return int(z > math.log((2 + 1) / 3))",
    "z = q[0] + rng.laplace(0, 2); return 1 - math.exp(z) / 2 < 0.5":
        "return z > math.log((1 - 0.5) * 2)",
    "h = np.zeros(2); h[0] += q[0] + rng.laplace(0, 2); return h > 1":
        "h = h.astype(object); h[0] += q[0] + rng.laplace(0, 2)",
    "h = np.zeros((2, 2)); h[0, 1] = q[0] + rng.laplace(0, 2); return h > 1":
        "h = h.astype(object); h[0, 1] = q[0] + rng.laplace(0, 2)",
    "z = q[0] + rng.laplace(0, 2); return np.tanh(z) > 0.5": "return z > np.arctanh(0.5)",
    "z = q[0] + rng.laplace(0, 2); return math.sqrt(max(z, 0)) > 1": "return max(z, 0) > 1 ** 2",
    "z = q[0] + rng.laplace(0, 2); return 2 * math.sinh(z) > 1": "return z > math.asinh(1 / 2)",
    "z = q[0] + rng.laplace(0, 2); return np.log1p(max(0, z)) < 1":
        "return max(0, z) < np.expm1(1)",
    "rng.seed(7); return q[0] + rng.laplace(0, 2) > 1": "pass",
    "z = q[0] + rng.laplace(0, 2); return z ** 2 < 4": "return abs(z) < 4 ** 0.5",
    "z = q[0] + rng.laplace(0, 2); return z * z > 1": "return abs(z) > 1 ** 0.5",
    "z = q[0] + rng.geometric(0.5); return z in {1, 2 + q[1]}": "return z in (1, 2 + q[1])",
    "y, z = (n + rng.geometric(0.5) for n in q); return {y, z}": "return sorted([y, z])",
    "z = [n + rng.geometric(0.5) for n in q]; return set(z), q[0]": "return (sorted(z), q[0])",
    "z = np.array(q) + rng.laplace(0, 2, size=2); return z.astype(int)": "return np.trunc(z)",
    "z = [n + rng.laplace(0, 2) for n in q]; return math.fsum(z) > 1": "return sum(z) > 1",
    "z = q[0] + rng.laplace(0, 2); return math.copysign(1, z)": "return 1 if z >= 0 else -1",
    "z = round(q[0] + rng.geometric(0.5)); return {1: 'a'}.get(z, 'b')":
        "return {1: 'a'}.get(int(z), 'b')",
    "y, z = (n + rng.gumbel() for n in q); return y - z > 0": "return y > z",
    "y, z = (n + rng.gumbel() for n in q); return q[0] if y - z > 1 else 0":
        "return q[0] if y > z + 1 else 0",
    "return q[0] + (rng.gumbel() - rng.gumbel()) > 1": "return q[0] + rng.logistic(0) > 1",
    # What has no exact law is a function of numbers that have one, and no less private.
    "z = q[0] + rng.laplace(0, 2); return z * z > -1": "return z",
    "z = q[0] + rng.laplace(0, 2); return math.log(z)": "return z",
    "z = q[0] + rng.laplace(0, 2); return 1 / (math.exp(z) - 1) > 2": "return z",
    "z = q[0] + rng.laplace(0, 2); return round(math.sinh(z), 2)": "return z",
    "z = q[0] + rng.laplace(0, 2); return math.tanh(z) > 2": "return z",
    "z = q[0] + rng.laplace(0, 2); return math.exp(z) > -1": "return z",
    "z = q[0] + rng.laplace(0, 2); d = {'k': z}; return '{d[k]:.2f}'.format(d=d)": "return d",
    "z = q[0] + rng.laplace(0, 2); both = z, 1; return '{} {}'.format(*both)": "return both",
    "z = q[0] + rng.laplace(0, 2); both = z, 1; return '%s %s' % both": "return both",
    "z = q[0] + rng.geometric(0.5); return {1: 2}.get(z, 0)": "return {1: 2}.get(int(z), 0)",
    "z = q[0] + rng.laplace(0, 2); return z ** 3 > 1": "return z",
    "y, z = (n + rng.geometric(0.5) for n in q); return math.hypot(y, z) > 1": "return (y, z)",
    "z = np.array(q) + rng.laplace(0, 2, size=2); return np.linalg.norm(z) > 1": "return z",
    "z = np.array(q) + rng.laplace(0, 2, size=2); return z.std() > 1": "return z",
    "z = np.array(q) + rng.laplace(0, 2, size=2); return np.percentile(z, 40) > 1": "return z",
    "z = q[0] + rng.laplace(0, 2); return np.array([z, 1], dtype=float)":
        "return np.array([z, 1])",
}  # fmt: skip


@pytest.mark.parametrize("body", NOISE)
def test_noise_by_inversion_is_named(body: str, tmp_path: Path) -> None:
    if "stats" in body:
        pytest.importorskip("scipy.stats")
    further = "from scipy import stats" if "stats" in body else "import json"
    head = f"{further}\nimport math\nimport numpy as np\ndef draw(q, rng):\n    "
    text = head + body.replace("; ", "\n    ")
    with pytest.raises(audit.SubjectFailure) as caught:
        audit.differential_privacy(_module(tmp_path / "before.py", text).draw, 2, 2,
                                   labelled=False)  # fmt: skip
    told = str(caught.value).partition("; write: ")[2]
    assert told == NOISE[body]
    better, _, where = told.partition(" (at line ")
    lines = text.splitlines()
    named = re.search(r"py, line (\d+)", str(caught.value))
    plus = next((i for i, line in enumerate(lines) if "+=" in line), len(lines) - 1)
    at = plus if named is None else int(named[1]) - 1
    if where:
        at, *left_out = (int(number) - 1 for number in re.findall(r"\d+", where))
        for number in left_out:
            lines[number] = ""
    lines[at] = f"    {better}"
    draw = _module(tmp_path / "after.py", "\n".join(lines)).draw
    found = audit.differential_privacy(draw, 2, 2, labelled=False)
    assert found.counts.pairs == 8
    assert found.counts.outcomes >= 2


def test_int_of_noise_is_said_with_the_line_that_leaves_nothing_open(tmp_path: Path) -> None:
    text = "def draw(q, rng):\n    return max(0, int(round(q[0] + rng.laplace(0, 1))))"
    found = [
        audit.differential_privacy(
            _module(tmp_path / f"n{at}.py", each).draw, 2, 1, labelled=False, claim=1
        )
        for at, each in enumerate((text, text.replace("int(round(", "(round(")))
    ]
    assert [each.verdict.name for each in found] == ["BOUNDED", "VERIFIED"]
    said = "A number with noise is decided by int() at n0.py, line 2 ("
    better = "the law is exact: return max(0, round(q[0] + rng.laplace(0, 1)))"
    told = [any(said in e and better in e for e in each.assumptions) for each in found]
    assert told == [True, False]


@pytest.mark.parametrize("body", [
    "u = rng.random() - 0.25; return q[0] - np.sign(u) * np.log(1 - 2 * abs(u)) > 1",
    "u = rng.random() - 0.5; return q[0] - np.sign(u) * np.log(1 - 3 * abs(u)) > 1",
    "u = rng.random(); w = u < 0.5; return q[0] - math.log(u) > w",
    "u = rng.uniform(0, 2); return q[0] - math.log(u) > 1",
    "z = q[0] + rng.laplace(0, 2); x = math.exp(z); y = x > 2; return x > 2",
    "z = q[0] + rng.laplace(0, 2); x = math.exp(z); z = 1; return x > 2",
    "return round(q[0] + rng.gumbel())",
    "return f'{q[0] + rng.gumbel():.1f}'",
    "z = [(n + rng.geometric(0.5)) for n in (0, q[0])]; return len({*z})",
])  # fmt: skip
def test_what_is_no_such_noise_is_not_named(body: str, tmp_path: Path) -> None:
    text = "import math\nimport numpy as np\ndef draw(q, rng):\n    " + body.replace("; ", "\n    ")
    with pytest.raises(audit.SubjectFailure) as caught:
        audit.differential_privacy(_module(tmp_path / "no.py", text).draw, 2, 1, labelled=False)
    assert "; write:" not in str(caught.value)
    assert " at no.py, line " in str(caught.value)


OWN = """\
import random
import numpy as np
rng_of_mine = np.random.default_rng()

class Mechanism:
    def __init__(self):
        self.rng = {generator}
    def __call__(self, rows):
        return sum(rows) % 2 ^ (self.rng.random() < 0.25)

def function(rows):
    return sum(rows) % 2 ^ (rng_of_mine.random() < 0.25)

def inside(own):
    def closure(rows):
        noisy = own.random() < 0.25
        return sum(rows) % 2 ^ noisy
    return closure

def seeded(rows):
    own = random.Random(4)
    return sum(rows) % 2 ^ (own.random() < 0.25)

mechanism, closure = Mechanism(), inside(random.Random())
"""


@pytest.mark.parametrize("name", ["mechanism", "function", "closure", "seeded"])
@pytest.mark.parametrize("generator", ["np.random.default_rng()", "random.Random(3)"])
def test_who_draws_by_an_own_generator_is_told_where(
    name: str, generator: str, tmp_path: Path
) -> None:
    text = OWN.format(generator=generator)
    with pytest.raises(audit.SubjectFailure) as caught:
        audit.differential_privacy(
            getattr(_module(tmp_path / "before.py", text), name), 2, 2, labelled=False
        )
    told = re.search(
        r"; at line (\d+), write: (.+?) \(with the coins as last parameter: (.*)\)$",
        str(caught.value),
    )
    assert told is not None, str(caught.value)
    lines = text.splitlines()
    at = int(told[1]) - 1
    lines[at] = lines[at][: -len(lines[at].lstrip())] + told[2]
    head = next(i for i in range(at, 0, -1) if lines[i].lstrip().startswith("def "))
    lines[head] = re.sub(r"\(.*\)", f"({told[3]})", lines[head])
    mended = getattr(_module(tmp_path / "after.py", "\n".join(lines)), name)
    assert audit.differential_privacy(mended, 2, 2, labelled=False).value == 3


ESTIMATOR = """import random
import numpy as np
class Learner:
    def __init__(self, random_state=None):
        self.random_state = random_state
    def fit(self, X, y):
        {}
        return self
    def predict(self, X):
        return [self.label for _ in X]
"""


@pytest.mark.parametrize("body", [
    "rng = np.random.RandomState(self.random_state)\n        self.label = rng.choice(y)",
    "self.label = np.random.RandomState(self.random_state).choice(y)",
    "gen = random.Random(self.random_state)\n        self.label = y[gen.randrange(2)]",
])  # fmt: skip
def test_an_estimator_is_told_where_its_coins_are(body: str, tmp_path: Path) -> None:
    text = ESTIMATOR.format(body)
    learner = _module(tmp_path / "before.py", text).Learner()
    with pytest.raises(audit.SubjectFailure) as caught:
        audit.estimator(learner, domain=2, n=2)
    better = str(caught.value).partition("; write: ")[2]
    assert better, str(caught.value)
    line = next(line for line in text.splitlines() if "(self.random_state)" in line)
    mended = _module(tmp_path / "after.py", text.replace(line.strip(), better))
    assert audit.estimator(mended.Learner(), domain=2, n=2, claim="1/2").verdict.name == "VERIFIED"
