"""The compiled passes against all paths, one by one."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pytest

from pac_stability._core.additive_sums import path_sums

HIT, LAST, FIRST, ONLY, MISS = range(5)
LANES = 4

END = (-1, -1)
Met = tuple[tuple[int, int], ...]
"""Row and layer of factors, or the end of the chain."""

Numbers = npt.NDArray[np.float64]


@dataclass
class Problem:
    """One random graph with random factors, and what the kernel says about it."""

    copies: npt.NDArray[np.int32]
    windows: npt.NDArray[np.int32]
    steps: Numbers
    two_states: bool
    leave_on_miss: bool
    chain: int
    factors: Numbers
    ends: Numbers

    def run(self, block: int = 2**31 - 1) -> tuple[Numbers, Numbers, Numbers, int]:
        sums = np.full_like(self.factors, np.nan)
        end_sums, totals = np.full_like(self.ends, np.nan), np.full_like(self.ends, np.nan)
        work = path_sums(
            self.copies,
            self.windows,
            self.steps,
            two_states=self.two_states,
            leave_on_miss=self.leave_on_miss,
            chain=self.chain,
            block=block,
            factors=self.factors,
            ends=self.ends,
            sums=sums,
            end_sums=end_sums,
            totals=totals,
        )
        return sums, end_sums, totals, work

    def step(self, j: int, s: int, t: int) -> float | None:
        """The number on the step from s to t over layer j, if there is one."""
        place = 0
        low, high, *_ = self.windows
        for layer in range(j + 1):
            for value in range(low[layer], high[layer] + 1):
                for after in range(value, value + self.copies[layer] + 1):
                    if low[layer + 1] <= after <= high[layer + 1]:
                        if (layer, value, after) == (j, s, t):
                            return float(self.steps[place])
                        place += 1
        return None

    def paths(self) -> Iterator[tuple[Met, float]]:
        """Every path: the factors it meets, and the product of its steps."""
        layers, need = len(self.copies), int(self.windows[0, -1])

        def go(
            j: int, s: int, first: bool, met: Met, product: float
        ) -> Iterator[tuple[Met, float]]:
            if first and j == self.chain:
                first, met = False, (*met, END)
            if j == layers:
                yield met, product
                return
            for t in range(s, s + self.copies[j] + 1):
                number = self.step(j, s, t)
                if number is None:
                    continue
                if t == s:
                    row = MISS if first else None
                else:
                    row = (ONLY if t == need else FIRST) if first else (LAST if t == need else HIT)
                still = first and (t == s) != self.leave_on_miss
                if still and not self.windows[2, j + 1] <= t <= self.windows[3, j + 1]:
                    continue
                more = met if row is None else (*met, (row, j))
                yield from go(j + 1, t, still, more, product * number)

        return go(0, 0, self.two_states, (), 1.0)


def random_problem(seed: int, mode: str) -> Problem:
    """Windows that a path can run through, of any shape otherwise."""
    rng = np.random.default_rng(seed)
    layers = int(rng.integers(1, 6))
    copies = rng.integers(1, 4, layers).tolist()
    need = int(rng.integers(1, sum(copies) + 1))
    low, high = [0], [0]
    for j in range(layers):
        left = sum(copies[j + 1 :])
        low.append(max(need - left, 0))
        high.append(min(high[-1] + copies[j], need))
        if rng.random() < 0.3 and low[-1] < high[-1]:
            low[-1] += 1
    chain = int(rng.integers(0, layers + 1)) if mode == "miss" else layers
    first_low, first_high = [1] * (layers + 1), [0] * (layers + 1)
    if mode != "never":
        for j in range(chain + 1):
            least = j if mode == "miss" else 0
            most = high[j] if mode == "miss" else 0
            if max(least, low[j]) > most or (mode == "hit" and j == layers):
                break
            first_low[j], first_high[j] = max(least, low[j]), most
    count = sum(
        1
        for j in range(layers)
        for s in range(low[j], high[j] + 1)
        for t in range(s, s + copies[j] + 1)
        if low[j + 1] <= t <= high[j + 1]
    )
    batches = int(rng.integers(1, 4))
    return Problem(
        np.array(copies, dtype=np.int32),
        np.array([low, high, first_low, first_high], dtype=np.int32),
        rng.random(count),
        mode != "never",
        mode == "miss",
        chain,
        rng.random((batches, 5, layers, LANES)),
        rng.random((batches, LANES)),
    )


@pytest.mark.parametrize("mode", ["never", "hit", "miss"])
def test_sums_over_all_paths(mode: str) -> None:
    for seed in range(60):
        problem = random_problem(seed, mode)
        sums, end_sums, totals, work = problem.run()
        assert work == len(problem.steps) * len(problem.ends)
        wanted = np.zeros_like(sums)
        wanted_ends, wanted_totals = np.zeros_like(end_sums), np.zeros_like(totals)
        for met, product in problem.paths():
            value = np.full_like(totals, product)
            for row, layer in met:
                value *= problem.ends if row < 0 else problem.factors[:, row, layer]
            wanted_totals += value
            for row, layer in met:
                (wanted_ends if row < 0 else wanted[:, row, layer])[...] += value
        np.testing.assert_allclose(sums, wanted, rtol=1e-12, atol=0)
        np.testing.assert_allclose(end_sums, wanted_ends, rtol=1e-12, atol=0)
        np.testing.assert_allclose(totals, wanted_totals, rtol=1e-12, atol=0)


@pytest.mark.parametrize("mode", ["never", "hit", "miss"])
def test_what_is_kept_before_some_layers_gives_the_same_bits(mode: str) -> None:
    for seed in range(60):
        problem = random_problem(seed, mode)
        *whole, work = problem.run()
        for block in range(1, len(problem.copies) + 2):
            *parts, again = problem.run(block)
            assert again == work
            for part, all_of_it in zip(parts, whole, strict=True):
                assert part.tobytes() == all_of_it.tobytes()


def test_what_does_not_fit_is_refused() -> None:
    problem = random_problem(3, "miss")
    right = problem.steps
    for problem.steps in (right[:-1], np.append(right, 1.0)):
        with pytest.raises(ValueError, match="steps"):
            problem.run()
    problem = random_problem(3, "miss")
    problem.windows[1, -1] += 1
    with pytest.raises(ValueError, match="ends with all drawn"):
        problem.run()
    problem = random_problem(3, "miss")
    problem.chain = len(problem.copies) + 1
    with pytest.raises(ValueError, match="chain"):
        problem.run()
    problem = random_problem(3, "miss")
    with pytest.raises(ValueError, match="block"):
        problem.run(0)
    problem.ends = np.ascontiguousarray(problem.ends[:, :3])
    with pytest.raises(ValueError, match="shape"):
        problem.run()
    problem = random_problem(3, "miss")
    problem.copies[0] = -1
    with pytest.raises(ValueError, match="copies"):
        problem.run()
    problem = random_problem(3, "never")
    problem.windows[0, :-1] = -1
    with pytest.raises(ValueError, match="starts at 0"):
        problem.run()
