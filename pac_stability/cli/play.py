"""``pac-stability play``: the mistake-bound game in the terminal."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Hashable, Iterable
from functools import partial
from typing import TextIO

from pac_stability import online
from pac_stability.classes import FiniteClass, ImplicitClass
from pac_stability.cli import output
from pac_stability.cli.dims import header, headline
from pac_stability.cli.loading import Exit, load_playable, say
from pac_stability.cli.output import check_output, emit, plural, to_json
from pac_stability.dimensions import LittlestoneSearch, version_spaces
from pac_stability.dimensions.trees import point_name
from pac_stability.errors import BudgetExhausted, InvalidInput, printable

_LONGEST_NUMBER = 400


class _StopError(Exception):
    """The player has had enough: ``q``, or the end of the input."""


def run(options: argparse.Namespace) -> int:
    """Play one game, in the given role."""
    check_output(options.transcript)
    H, source = load_playable(options)
    search = None
    if isinstance(H, FiniteClass):
        if len(H) == 0:
            raise InvalidInput(source, "a class without hypotheses", "at least one to play with")
        if None in H.domain:
            raise InvalidInput(source, "the point null", "other points: None ends a game")
        search = _measured(H, options)
    role = "auto" if options.auto else options.role
    game = _Game(H, search, sys.stderr if options.json else sys.stdout)
    game.say(f"{headline(source, H)}, Littlestone dimension {game.dimension}")
    code = Exit.OK
    finished = False
    try:
        {"auto": game.watch, "learner": game.learn, "adversary": game.oppose}[role]()
        finished = True
    except _StopError:
        game.say("")
    except KeyboardInterrupt:
        game.say("")
        code = Exit.INTERRUPTED
    transcript = online.Transcript.of(
        H, "player" if role == "learner" else "StandardOptimalAlgorithm", game.rounds
    )
    game.say(str(online.PlayedGame(H, transcript, game.dimension)).rstrip())
    if options.transcript is not None:
        emit(to_json(transcript.to_json()), options.transcript)
    if options.json:
        report = {
            "role": role,
            "dimension": game.dimension,
            "finished": finished,
            "transcript": transcript.to_json(),
        }
        emit(to_json(header("play", source, H) | report))
    if code == Exit.INTERRUPTED:
        say("interrupted")
    return code


def _measured(H: FiniteClass, options: argparse.Namespace) -> LittlestoneSearch:
    """Settle the dimension, which the whole game refers to; its search then serves every round."""
    search = LittlestoneSearch(H, options.max_memory)
    with output.watched("Littlestone dimension", options.time_limit) as progress:
        search.advance(time_limit=options.time_limit, progress=progress)
    if search.lower < search.upper:
        raise BudgetExhausted(
            f"the game needs the Littlestone dimension, so far {search.lower}..{search.upper}; "
            "allow more with --time-limit or --max-memory",
            search.lower,
            search.upper,
        )
    return search


def _point_of(H: ImplicitClass, answer: str) -> Hashable | None:
    """Return the point of a number, also behind the mark of a column; ``None`` if there is none."""
    digits = answer.removeprefix("#")
    if not digits.isascii() or not digits.isdecimal() or len(digits) > _LONGEST_NUMBER:
        return None
    return H.point(int(digits)) if int(digits) < H.points else None


class _Game:
    """The position, and the dialogue about it."""

    def __init__(
        self, H: FiniteClass | ImplicitClass, search: LittlestoneSearch | None, out: TextIO
    ) -> None:
        self._search = search
        self._class = H
        self._spaces = version_spaces(H, search)
        self._out = out
        self._soa = online.StandardOptimalAlgorithm(H, search=search)
        self.dimension = self._soa.dimension
        self.rounds: list[online.Round] = []

    def say(self, text: str) -> None:
        print(text, file=self._out, flush=True)

    def watch(self) -> None:
        """SOA against the greedy adversary."""
        adversary = online.GreedyAdversary(self._class, search=self._search)
        while (point := adversary.point(self._soa)) is not None:
            self._announce(point)
            prediction = self._soa.predict(point)
            self.say(f"  SOA predicts {prediction}")
            self._reveal(point, prediction, adversary.label(prediction))

    def learn(self) -> None:
        """Let the player predict; the greedy adversary labels."""
        self.say(
            "You predict, the adversary then reveals the label; in the end some hypothesis agrees\n"
            f"with every label. It can force {plural(self.dimension, 'mistake')} on anyone.\n"
            "0 or 1 answers, ? shows the two sides, q stops."
        )
        adversary = online.GreedyAdversary(self._class, search=self._search)
        while (point := adversary.point(None)) is not None:
            self._announce(point)
            prediction = self._ask_label("your prediction", partial(self._sides, point))
            self._reveal(point, prediction, adversary.label(prediction))

    def oppose(self) -> None:
        """Let the player choose points and labels; SOA predicts."""
        self.say(
            "You choose a point, SOA predicts, you reveal the label; some hypothesis must agree\n"
            f"with every label. You can force {plural(self.dimension, 'mistake')} and no more.\n"
            "A point is its name, or # and its column. ? shows the points, q stops."
        )
        while self._soa.size > 1:
            point = self._ask_point()
            prediction = self._soa.predict(point)
            self.say(f"  SOA predicts {prediction}")
            while True:
                label = self._ask_label("label", partial(self._sides, point))
                if self._soa.side_dimensions(point)[label] >= 0:
                    break
                self.say(f"  no hypothesis agrees with label {label} here; it must be {1 - label}")
            self._reveal(point, prediction, label)
        self.say("One hypothesis is left: SOA will not err again.")

    def _announce(self, point: Hashable) -> None:
        self.say(f"\nround {len(self.rounds) + 1}: point {point_name(point)}  ({self._left()})")

    def _left(self) -> str:
        space = plural(self._soa.size, "hypothesis", "hypotheses")
        return f"{space} left, dimension {self._soa.dimension}"

    def _reveal(self, point: Hashable, prediction: int, label: int) -> None:
        self._soa.update(point, label)
        self.rounds.append(online.Round(self._spaces.column(point), prediction, label))
        verdict = "right" if prediction == label else "a mistake"
        self.say(f"  label {label}: {verdict}")

    def _sides(self, point: Hashable) -> None:
        spaces, column = self._spaces, self._spaces.column(point)
        for label, dimension in enumerate(self._soa.side_dimensions(point)):
            count = spaces.size(spaces.part(self._soa.space, column, label))
            space = plural(count, "hypothesis", "hypotheses")
            self.say(f"  {label}: {space}, dimension {dimension}")
        zero, one = self._soa.side_dimensions(point)
        why = "the two are equal" if zero == one else "the side of larger dimension"
        self.say(f"  SOA predicts {self._soa.predict(point)}: {why}")

    def _points(self) -> None:
        H = self._class
        columns: Iterable[int]
        if isinstance(H, ImplicitClass):
            self.say(f"  {self._left()}; a point that divides them best:")
            columns = [column for column in (H.split(self._soa.space),) if column is not None]
        else:
            self.say(f"  {self._left()}; points that still divide them:")
            columns = range(len(H.domain))
        for column in columns:
            point = self._spaces.point(column)
            dimensions = self._soa.side_dimensions(point)
            if min(dimensions) >= 0:
                self.say(
                    f"  #{column} {point_name(point)}: SOA predicts "
                    f"{self._soa.predict(point)}; label 0 leaves dimension "
                    f"{dimensions[0]}, label 1 {dimensions[1]}"
                )

    def _ask(self, prompt: str, explain: Callable[[], None]) -> str:
        """One answer that is not empty; ``?`` explains and asks again."""
        while True:
            self._out.write(f"{prompt}> ")
            self._out.flush()
            line = sys.stdin.readline()
            answer = line.strip()
            if not sys.stdin.isatty():
                # Piped input leaves no trace of itself; a dialogue should read as one.
                self.say(answer)
            if not line or answer.lower() in ("q", "quit"):
                raise _StopError
            if answer == "?":
                explain()
            elif answer:
                return answer

    def _ask_label(self, prompt: str, explain: Callable[[], None]) -> int:
        while (answer := self._ask(prompt, explain)) not in ("0", "1"):
            self.say(f"  {printable(answer)!r} is not 0 or 1 (? explains, q stops)")
        return int(answer)

    def _ask_point(self) -> Hashable:
        H = self._class
        domain = () if isinstance(H, ImplicitClass) else H.domain
        names = {point_name(point): point for point in domain}
        columns = {f"#{column}": point for column, point in enumerate(domain)}
        self.say(f"\nround {len(self.rounds) + 1}  ({self._left()})")
        while True:
            answer = printable(self._ask("point", self._points))
            if answer in names:
                return names[answer]
            if answer in columns:
                return columns[answer]
            if isinstance(H, ImplicitClass) and (found := _point_of(H, answer)) is not None:
                return found
            self.say(f"  no point is called {answer!r} (? shows the points, q stops)")
