"""One source of seeded coins in two threads, met at the worst moment by construction."""

import copy
import pickle
from collections.abc import Callable
from hashlib import blake2b
from threading import Event, Lock, Thread
from types import TracebackType

import pytest

from pac_stability.randomness import SeededCoins


class Announced:
    """A lock that tells when somebody comes to it."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.comes = Event()

    def __enter__(self) -> None:
        self.comes.set()
        self.lock.acquire()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.lock.release()


class Taken:
    """What blocks of bits are made of; somebody is told before each."""

    def __init__(self, begun: blake2b, tell: Callable[[], None]) -> None:
        self.begun = begun
        self.tell = tell

    def copy(self) -> blake2b:
        self.tell()
        return self.begun.copy()


def taking_fresh_bits(coins: SeededCoins, tell: Callable[[], None]) -> None:
    """Have somebody told when these coins are about to take fresh bits."""
    object.__setattr__(coins, "_begun", Taken(coins._begun, tell))


@pytest.mark.parametrize("count", [1, 64, 512, 700])
def test_no_bit_is_given_twice_when_a_thread_comes_in_the_middle(count: int) -> None:
    expected = SeededCoins(5)
    wanted = {expected.bits(count), expected.bits(count)}
    following = expected.bits(2000)

    coins = SeededCoins(5)
    lock = Announced()
    object.__setattr__(coins, "_lock", lock)
    answers: list[int] = []
    other = Thread(target=lambda: answers.append(coins.bits(count)))

    def interrupted() -> None:
        # The first thread is about to take fresh bits: let the other one come as far as it can,
        # which is the lock, or the same place if nothing held it up.
        if other.ident is None:
            lock.comes.clear()
            other.start()
            lock.comes.wait()
        else:
            lock.comes.set()

    taking_fresh_bits(coins, interrupted)
    answers.append(coins.bits(count))
    other.join()
    assert set(answers) == wanted
    assert coins.bits(2000) == following


def test_the_state_is_never_that_of_half_a_draw() -> None:
    coins = SeededCoins(5)
    lock = Announced()
    object.__setattr__(coins, "_lock", lock)
    states: list[dict[str, str | int]] = []

    def look() -> None:
        states.append(coins.state())
        lock.comes.set()

    other = Thread(target=look)

    def interrupted() -> None:
        if other.ident is None:
            lock.comes.clear()
            other.start()
            lock.comes.wait()

    taking_fresh_bits(coins, interrupted)
    coins.bits(100)
    other.join()
    assert states == [coins.state()]


def test_copies_and_pickles_go_on_from_the_same_place() -> None:
    coins = SeededCoins("seed")
    coins.bits(700)
    twins = [copy.copy(coins), copy.deepcopy(coins), pickle.loads(pickle.dumps(coins))]  # noqa: S301
    assert {twin.bits(900) for twin in twins} == {coins.bits(900)}


def test_whoever_watches_a_draw_may_look_at_the_state() -> None:
    # As a tracing function does that is called in the middle of it, in the same thread.
    coins = SeededCoins(5)
    before = coins.state()
    states: list[dict[str, str | int]] = []

    def watched() -> None:
        states.append(coins.state())

    taking_fresh_bits(coins, watched)
    drawing = Thread(target=coins.bits, args=(100,), daemon=True)
    drawing.start()
    drawing.join(timeout=60)  # for ever, if it waits for itself
    assert not drawing.is_alive()
    assert states == [before]
