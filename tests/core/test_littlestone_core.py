"""The compiled solver itself: budgets, interruption, memory, layout limits."""

import _thread
import itertools
import signal
import sys
import threading
from types import FrameType

import numpy as np
import numpy.typing as npt
import pytest

from pac_stability._core.littlestone import LittlestoneSolver, use_instructions
from shared_dimensions import bitset_search, informed_search

Table = npt.NDArray[np.uint8]
PLENTY = 2**40


def distinct(rows: npt.ArrayLike) -> Table:
    return np.ascontiguousarray(np.unique(np.asarray(rows, dtype=np.uint8), axis=0))


def random_table(n: int, m: int, density: float, seed: int = 0) -> Table:
    return distinct(np.random.default_rng(seed).random((n, m)) < density)


def interval_unions(n: int, k: int) -> Table:
    """Indicators of unions of at most ``k`` intervals of 0..n-1."""
    rows = np.zeros((0, n), dtype=np.uint8)
    for cuts in itertools.combinations(range(n + 1), 2 * k):
        row = np.zeros(n, dtype=np.uint8)
        for start, end in zip(cuts[::2], cuts[1::2], strict=True):
            row[start:end] = 1
        rows = np.vstack([rows, row])
    fewer = interval_unions(n, k - 1) if k else np.zeros((1, n), dtype=np.uint8)
    return distinct(np.vstack([rows, fewer]))


def dimension(table: Table, max_memory: int = PLENTY) -> int:
    solver = LittlestoneSolver(table, max_memory)
    assert solver.run(0.0, None) == 0
    assert solver.lower == solver.upper
    return solver.lower


class StopError(Exception):
    """Raised by the callbacks below."""


def test_degenerate_shapes() -> None:
    empty = LittlestoneSolver(np.zeros((0, 3), dtype=np.uint8), PLENTY)
    assert (empty.lower, empty.upper) == (-1, -1)
    assert dimension(np.zeros((1, 0), dtype=np.uint8)) == 0
    assert dimension(np.zeros((1, 70), dtype=np.uint8)) == 0
    assert dimension(np.array([[0], [1]], dtype=np.uint8)) == 1


@pytest.mark.parametrize("n", [3, 62, 63, 64, 65, 127, 128, 129, 200, 1000])
def test_thresholds_across_word_boundaries(n: int) -> None:
    # n + 1 thresholds on n points have dimension floor(log2(n + 1)): binary search, and log2 |H|.
    table = (np.arange(n) < np.arange(n + 1)[:, None]).astype(np.uint8)
    assert dimension(table) == (n + 1).bit_length() - 1


def test_more_rows_than_sixteen_bits_count() -> None:
    # All words of 17 letters: the cube, dimension 17, with 131,072 rows.
    n = 17
    table = ((np.arange(2**n)[:, None] >> np.arange(n)) & 1).astype(np.uint8)
    solver = LittlestoneSolver(np.ascontiguousarray(table), PLENTY)
    solver.run(0.0, None)
    assert (solver.lower, solver.upper) == (n, n)
    # A cube of 16 letters lies in its last 65,536 rows and nowhere else among these.
    assert solver.dimension_of(np.arange(2**16 - 1, 2**n, dtype=np.int64)) == 16
    assert solver.dimension_of(np.arange(2**16 + 1, 2**n, dtype=np.int64)) == 15


def test_a_contradiction_is_an_error_not_a_crash() -> None:
    # Rows must be distinct; two equal ones have no question that tells them apart.
    solver = LittlestoneSolver(np.zeros((2, 3), dtype=np.uint8), PLENTY)
    points, leaves = np.empty(1, dtype=np.int64), np.empty(2, dtype=np.int64)
    with pytest.raises(RuntimeError, match="not distinct"):
        solver.tree(1, points, leaves)


def test_equal_columns_are_merged() -> None:
    # Subsets of size at most 2 of 5 points, every column 40 times: dimension 2.
    small = np.array([row for row in itertools.product((0, 1), repeat=5) if sum(row) <= 2])
    wide = distinct(np.repeat(small, 40, axis=1))
    assert dimension(wide) == 2
    wide[:, ::3] ^= 1
    assert dimension(wide) == 2


def test_dimension_of_version_spaces_shares_one_table() -> None:
    table = random_table(200, 12, 0.4)
    solver = LittlestoneSolver(table, PLENTY)
    rng = np.random.default_rng(1)
    for _ in range(60):
        rows = np.flatnonzero(rng.random(len(table)) < rng.random())
        part = np.ascontiguousarray(table[rows])
        assert solver.dimension_of(rows.astype(np.int64)) == (dimension(part) if len(rows) else -1)
    entries, nodes = solver.entries_used, solver.nodes
    assert solver.dimension_of(rows.astype(np.int64)) == dimension(part)
    assert (solver.entries_used, solver.nodes) == (entries, nodes)


def test_what_a_search_leaves_in_the_table_is_right_for_other_questions() -> None:
    # The failed last level asked the sides for more than they have; now for exactly what they have.
    table = random_table(300, 16, 0.25)
    solver = LittlestoneSolver(table, PLENTY)
    solver.run(0.0, None)
    for x, z in itertools.product(range(16), repeat=2):
        rows = np.flatnonzero(table[:, x] & table[:, z])
        part = np.ascontiguousarray(table[rows])
        assert solver.dimension_of(rows.astype(np.int64)) == (dimension(part) if len(rows) else -1)


@pytest.mark.parametrize("first", [8, 9])
def test_the_number_of_rows_is_part_of_what_is_remembered(first: int) -> None:
    # Two questions and a name for every row. The last row has only zeros, so without it the columns
    # are the same words; but the question a = 0, b = 0 keeps two rows only with it.
    a = [0, 0, 0, 0, 1, 1, 1, 1, 0]
    b = [0, 1, 1, 1, 0, 0, 1, 1, 0]
    table = np.column_stack([a, b, np.eye(9, dtype=np.int64)]).astype(np.uint8)
    solver = LittlestoneSolver(np.ascontiguousarray(table), PLENTY)
    for rows in (first, 17 - first):
        assert solver.dimension_of(np.arange(rows)) == {8: 2, 9: 3}[rows]


@pytest.mark.parametrize("d", [1, 2, 3, 4, 5, 6])
def test_last_questions_may_be_lone_columns(d: int) -> None:
    # Every word of d letters twice, one of the two marked in a column of its own: d questions about
    # the letters, and one about the mark.
    cube = np.array(list(itertools.product((0, 1), repeat=d)))
    unmarked = np.hstack([cube, np.zeros((2**d, 2**d), dtype=np.int64)])
    marked = np.hstack([cube, np.eye(2**d, dtype=np.int64)])
    assert dimension(distinct(np.vstack([unmarked, marked]))) == d + 1


@pytest.mark.parametrize("n", [20, 32, 33, 40, 100])
def test_one_letter_times_singletons(n: int) -> None:
    # A product adds: 1 for the letter, 1 for the singletons.  Every other column has one lone row
    # on each side of the letter.
    letters = np.repeat([0, 1], n)[:, None]
    assert dimension(distinct(np.hstack([letters, np.vstack([np.eye(n)] * 2)]))) == 2


def test_a_time_limit_stops_with_certified_bounds_and_the_search_resumes() -> None:
    table = interval_unions(14, 2)
    want = dimension(table)
    solver = LittlestoneSolver(table, PLENTY)
    assert solver.run(1e-9, None) == 1
    assert solver.lower <= want <= solver.upper
    assert solver.lower < solver.upper
    assert solver.run(0.0, None) == 0
    assert (solver.lower, solver.upper) == (want, want)


def test_a_resumed_search_visits_what_an_uninterrupted_one_visits() -> None:
    table = random_table(1500, 40, 0.25)
    straight = LittlestoneSolver(table, PLENTY)
    straight.run(0.0, None)
    stopped = LittlestoneSolver(table, PLENTY)

    def stop(*_: float) -> None:
        raise StopError

    runs = 0
    while stopped.lower < stopped.upper:
        runs += 1
        with pytest.raises(StopError):
            stopped.run(0.0, stop)
    # One run a level, and none of its work is done twice.
    assert runs >= straight.upper - 1
    assert (stopped.lower, stopped.nodes) == (straight.lower, straight.nodes)
    assert stopped.entries_used == straight.entries_used


def test_progress_reports_certified_bounds_after_every_level() -> None:
    table = random_table(1500, 40, 0.25)
    want = dimension(table)
    reports: list[tuple[int, int, int, float]] = []
    solver = LittlestoneSolver(table, PLENTY)
    solver.run(0.0, lambda *report: reports.append(report))
    assert {lower for lower, *_ in reports} >= set(range(2, want + 1))
    assert all(lower <= want <= upper for lower, upper, *_ in reports)
    assert [nodes for _, _, nodes, _ in reports] == sorted(nodes for _, _, nodes, _ in reports)
    assert reports[-1][:3] == (want, want, solver.nodes)


def test_control_c_leaves_a_usable_solver() -> None:
    table = random_table(1500, 40, 0.25)
    want = dimension(table)
    solver = LittlestoneSolver(table, PLENTY)
    # A process started in the background ignores SIGINT unless it asks for it.
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            solver.run(0.0, lambda *_: _thread.interrupt_main())
    finally:
        signal.signal(signal.SIGINT, previous)
    assert solver.lower <= want <= solver.upper
    assert solver.lower < solver.upper
    assert solver.run(0.0, None) == 0
    assert solver.lower == want


def test_a_signal_reaches_the_middle_of_a_long_search() -> None:
    # Takes many seconds if the signal is not looked at: the alarm comes after 20 ms.
    table = random_table(4096, 700, 0.25)

    def on_alarm(_number: int, _frame: FrameType | None) -> None:
        raise StopError

    solver = LittlestoneSolver(table, PLENTY)
    previous = signal.signal(signal.SIGALRM, on_alarm)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        with pytest.raises(StopError):
            solver.run(0.0, None)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    assert 1 <= solver.lower < solver.upper <= 12
    # The table still answers: the first 20 rows of a random class, by themselves and within it.
    part = np.arange(20, dtype=np.int64)
    assert solver.dimension_of(part) == dimension(np.ascontiguousarray(table[:20]))


def test_a_callback_cannot_enter_the_solver_that_calls_it() -> None:
    solver = LittlestoneSolver(random_table(300, 20, 0.5), PLENTY)

    def enter(*_: float) -> None:
        solver.run(0.0, None)

    with pytest.raises(RuntimeError, match="already running"):
        solver.run(0.0, enter)
    assert solver.run(0.0, None) == 0


def test_two_threads_search_at_the_same_time() -> None:
    # Each search waits, in its first report, until the other one reports too.
    table = random_table(600, 30, 0.25)
    want = dimension(table)
    barrier = threading.Barrier(2, timeout=60)
    found: list[int] = []

    def search() -> None:
        solver = LittlestoneSolver(table, PLENTY)
        waiting = [barrier.wait]

        def meet(*_: float) -> None:
            if waiting:
                waiting.pop()()

        solver.run(0.0, meet)
        found.append(solver.lower)

    threads = [threading.Thread(target=search) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [want, want]


def test_another_thread_runs_while_a_search_does() -> None:
    # With this switch interval a thread gives the interpreter up only when it blocks or releases
    # it.  The search would take many seconds; it ends early only if this thread gets to run.
    started, wanted = threading.Event(), threading.Event()
    outcomes: list[str] = []

    def stop_when_wanted(*_: float) -> None:
        if wanted.is_set():
            raise StopError

    def search() -> None:
        solver = LittlestoneSolver(random_table(4096, 700, 0.25), PLENTY)
        started.set()
        try:
            solver.run(20.0, stop_when_wanted)
            outcomes.append("ran to its end")
        except StopError:
            outcomes.append("stopped")

    before = sys.getswitchinterval()
    thread = threading.Thread(target=search)
    try:
        sys.setswitchinterval(1000)
        thread.start()
        started.wait()
        wanted.set()
        thread.join()
    finally:
        sys.setswitchinterval(before)
    assert outcomes == ["stopped"]


def test_a_full_table_replaces_entries_and_stays_right() -> None:
    table = interval_unions(15, 2)
    roomy = LittlestoneSolver(table, PLENTY)
    roomy.run(0.0, None)
    assert roomy.entries_used > 3000
    # Room for the matrices of the search and the first 1,024 slots, not for 2,048.
    tight = LittlestoneSolver(table, 100_000)
    assert tight.run(0.0, None) == 0
    assert tight.memory <= 100_000
    assert tight.entries_used <= 1024
    assert (tight.lower, tight.upper) == (roomy.lower, roomy.upper)
    # Forgetting costs work: this is what the limit was paid with.
    assert tight.nodes > roomy.nodes


def test_memory_that_cannot_hold_the_class_is_refused() -> None:
    table = random_table(500, 50, 0.5)
    for limit in (0, 100, 1000, 10_000, 30_000):
        with pytest.raises(MemoryError):
            LittlestoneSolver(table, limit)


def test_memory_never_exceeds_the_limit_and_bounds_stay_certified() -> None:
    table = random_table(500, 50, 0.3)
    want = dimension(table)
    finished = 0
    for limit in range(32_000, 120_000, 4_000):
        try:
            solver = LittlestoneSolver(table, limit)
        except MemoryError:
            continue
        outcome = solver.run(0.0, None)
        assert solver.memory <= limit
        assert solver.lower <= want <= solver.upper
        assert (outcome == 0) == (solver.lower == solver.upper)
        finished += outcome == 0
    assert finished


def test_a_refutation_of_limited_length() -> None:
    solver = LittlestoneSolver(interval_unions(10, 2), PLENTY)
    solver.run(0.0, None)
    with pytest.raises(OverflowError):
        solver.refute(solver.upper + 1, 3)
    levels, reasons = solver.refute(solver.upper + 1, 10**6)
    assert len(reasons) % 16 == 0
    assert len(levels) // 4 > 3


def test_every_set_of_instructions_does_the_same(instructions: str) -> None:
    # Widths around a vector of 2, 4 and 8 words, and numbers of rows around words.
    for n, m in ((63, 7), (64, 8), (65, 9), (129, 17), (200, 16), (1000, 33), (640, 129)):
        table = random_table(n, m, 0.3)
        solver = LittlestoneSolver(table, PLENTY)
        solver.run(0.0, None)
        assert solver.lower == solver.upper == informed_search(table), (instructions, n, m)
        use_instructions("baseline")
        plain = LittlestoneSolver(table, PLENTY)
        plain.run(0.0, None)
        use_instructions(instructions)
        assert solver.nodes == plain.nodes > 0


def test_instructions_that_do_not_exist_are_refused() -> None:
    with pytest.raises(ValueError, match="tuple"):
        use_instructions("quantum")


def test_the_upper_bound_falls_long_before_the_search_ends() -> None:
    solver = LittlestoneSolver(random_table(20000, 500, 0.1), PLENTY)
    seen: dict[tuple[int, int], int] = {}

    def look(lower: int, upper: int, nodes: int, _seconds: float) -> None:
        seen.setdefault((lower, upper), nodes)

    assert solver.run(0.0, look) == 0
    assert solver.lower == solver.upper == 7
    # At most 14 by counting; the levels between are halved.
    assert (7, 14) in seen
    fallen = [nodes for (lower, upper), nodes in seen.items() if 7 == lower < upper <= 9]
    assert 2 * min(fallen) < solver.nodes


def test_a_search_goes_on_after_questions_about_other_version_spaces() -> None:
    table = random_table(300, 20, 0.25)
    want, of_some = dimension(table), dimension(table[:40])
    solver = LittlestoneSolver(table, PLENTY)
    for aim in range(1, 8):
        assert solver.run(0.0, None, aim) == 0
        assert solver.dimension_of(np.arange(40, dtype=np.int64)) == of_some < want
    assert solver.run(0.0, None) == 0
    assert solver.lower == solver.upper == want


def test_one_level_is_decided_by_itself() -> None:
    table = random_table(300, 20, 0.25)
    want = dimension(table)
    for aim in range(1, 12):
        solver = LittlestoneSolver(table, PLENTY)
        assert solver.run(0.0, None, aim) == 0
        assert solver.lower <= want <= solver.upper
        assert (solver.lower >= aim) == (want >= aim) != (solver.upper < aim)
        if 2 <= aim <= want:
            points = np.empty(2**aim - 1, dtype=np.int64)
            leaves = np.empty(2**aim, dtype=np.int64)
            solver.tree(aim, points, leaves)
            assert len(set(leaves.tolist())) == 2**aim
        assert solver.run(0.0, None) == 0
        assert solver.lower == solver.upper == want
    # Out of time before anything is known: the bounds of before, and not done.
    solver = LittlestoneSolver(table, PLENTY)
    assert (solver.run(1e-9, None, want + 1), solver.upper) == (1, 8)


@pytest.mark.parametrize(
    ("n", "m", "density"), [(300, 100, 0.08), (900, 600, 0.04), (513, 257, 0.1)]
)
def test_sparse_wide_tables_are_kept_by_rows_and_stay_right(
    instructions: str, n: int, m: int, density: float
) -> None:
    # Nearly all sides have few rows; the root alone takes hundreds of candidates.
    table = random_table(n, m, density)
    solver = LittlestoneSolver(table, PLENTY)
    solver.run(0.0, None)
    assert solver.lower == solver.upper == bitset_search(table)
    counted = solver.nodes, solver.entries_used
    proof = solver.refute(solver.upper + 1, 10**6)
    use_instructions("baseline")
    plain = LittlestoneSolver(table, PLENTY)
    plain.run(0.0, None)
    use_instructions(instructions)
    assert counted == (plain.nodes, plain.entries_used)
    assert plain.refute(solver.upper + 1, 10**6) == proof


def test_rows_give_way_to_what_the_search_needs() -> None:
    table = random_table(900, 600, 0.04)
    roomy = LittlestoneSolver(table, PLENTY)
    roomy.run(0.0, None)
    finished = set()
    for limit in range(200_000, roomy.memory + 200_000, 60_000):
        try:
            solver = LittlestoneSolver(table, limit)
        except MemoryError:
            continue
        outcome = solver.run(0.0, None)
        assert solver.memory <= limit
        assert solver.lower <= roomy.lower <= solver.upper
        assert (outcome == 0) == (solver.lower == solver.upper)
        finished.add(outcome)
    assert 0 in finished
