"""A sparse vector as an author writes it, for the page on query answers."""

from typing import Any


def sparse_vector(prng: Any, queries: tuple[int, ...], epsilon: float, c: int = 1) -> list[bool]:
    """Say of each answer whether it is above 1, until c of them are (Lyu, Su and Li 2017)."""
    bar = 1 + prng.laplace(0, 2 / epsilon)
    said: list[bool] = []
    for answer in queries:
        said.append(answer + prng.laplace(0, 4 * c / epsilon) >= bar)
        if sum(said) == c:
            break
    return said
