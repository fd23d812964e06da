"""A regular expression as an automaton: the states between its characters, for `backtracking`.

A repeat of at most `MOST` times counts as bounded. What a look-around of several characters requires is not followed: it may hold or not.
"""

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from re import _constants as sre
from re import _parser

MOST = 400
_SIGNS = "aZk5_ \t\n\r-.,:;/\\'\"`()[]{}<>=*#@!?|&$%+~^。、あ漢アー「」　éſK✅\x01\u2028"
"""One character for each kind that a class may single out; the characters of the pattern itself are added."""
_COPIES = 8
"""How often a class with a bound is read at most; anything longer is read at most twice."""
_CHARACTER = (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN)
_REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT)
_CATEGORIES = {
    sre.CATEGORY_DIGIT: str.isdecimal,
    sre.CATEGORY_SPACE: str.isspace,
    sre.CATEGORY_WORD: lambda sign: sign.isalnum() or sign == "_",
}
_NEGATED = {
    sre.CATEGORY_NOT_DIGIT: sre.CATEGORY_DIGIT, sre.CATEGORY_NOT_SPACE: sre.CATEGORY_SPACE, sre.CATEGORY_NOT_WORD: sre.CATEGORY_WORD,
}  # fmt: skip

Test = Callable[[str], bool]
Guard = Callable[[str | None, str | None], bool]
"""Whether a place may be passed, by the characters before and after it; None for the beginning or end of the text."""


class Automaton:
    """A pattern as states. A state is passed freely (`free`: guard, next state), or reads one character (`reads`: class, next state).

    atomic: the atomic groups that contain each state; nothing inside is tried again once such a group is left.
    ahead: whether a state is part of a look-ahead; unsure: free steps that may not be possible.
    """

    def __init__(self, pattern: str | bytes, flags: int, *, search: bool) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = _parser.parse(pattern, flags)
        self.flags = tree.state.flags | (re.ASCII if isinstance(pattern, bytes) else 0)
        self.highest = 256 if isinstance(pattern, bytes) else 0x110000
        self.signs = {sign for sign in _SIGNS if ord(sign) < self.highest}
        self.free: list[list[tuple[Guard | None, int]]] = []
        self.reads: list[tuple[int, int] | None] = []
        self.atomic: list[tuple[int, ...]] = []
        self.ahead: list[bool] = []
        self.unsure: set[tuple[int, int]] = set()
        self.tests: list[Test] = []
        self.before: list[Test] = []
        self.guards: list[Guard] = []
        self._classes: dict[object, int] = {}
        self._groups: tuple[int, ...] = ()
        self._is_ahead = False
        self.start = self._state()
        self.searching = self._reading(self.start, self._class("any", lambda sign: True)) if search else None
        if self.searching is not None:
            self._pass(self.searching, self.start)
        self.first = self._state()
        self._pass(self.start, self.first)
        self.accept = self._sequence(tree, self.first, self.flags)
        self._choose_alphabet()

    def _state(self) -> int:
        self.free.append([])
        self.reads.append(None)
        self.atomic.append(self._groups)
        self.ahead.append(self._is_ahead)
        return len(self.free) - 1

    def _pass(self, begin: int, end: int, guard: Guard | None = None, *, sure: bool = True) -> None:
        self.free[begin].append((guard, end))
        if guard is not None:
            self.guards.append(guard)
        if not sure:
            self.unsure.add((begin, end))

    def _after(self, begin: int, guard: Guard | None = None, *, sure: bool = True) -> int:
        end = self._state()
        self._pass(begin, end, guard, sure=sure)
        return end

    def _reading(self, begin: int, which: int) -> int:
        reader, end = self._after(begin), self._state()
        self.reads[reader] = which, end
        return end

    def _class(self, key: object, test: Test) -> int:
        if key not in self._classes:
            self._classes[key] = len(self.tests)
            self.tests.append(test)
        return self._classes[key]

    def _literal(self, code: int, flags: int) -> Test:
        sign = chr(code)
        same = {sign, *(each for each in (sign.lower(), sign.upper()) if flags & re.IGNORECASE and len(each) == 1)}
        self.signs |= same
        return lambda one: one in same or (bool(flags & re.IGNORECASE) and one.lower() == sign.lower())

    def _range(self, low: int, high: int, flags: int) -> Test:
        self.signs.update(chr(code) for code in (low - 1, low, (low + high) // 2, high, high + 1) if 0 <= code < self.highest)
        if flags & re.IGNORECASE:
            return lambda one: any(len(each) == 1 and low <= ord(each) <= high for each in (one, one.lower(), one.upper()))
        return lambda one: low <= ord(one) <= high

    def _category(self, category: object, flags: int) -> Test:
        if category in _NEGATED:
            positive = self._category(_NEGATED[category], flags)
            return lambda one: not positive(one)
        test = _CATEGORIES[category]
        return (lambda one: one.isascii() and test(one)) if flags & re.ASCII else test

    def _test(self, op: object, value: object, flags: int) -> Test:
        """Return whether a character is read by one item of a pattern."""
        if op is sre.LITERAL:
            return self._literal(value, flags)
        if op is sre.ANY:
            return (lambda one: True) if flags & re.DOTALL else (lambda one: one != "\n")
        if op is sre.NOT_LITERAL:
            value = [(sre.NEGATE, None), (sre.LITERAL, value)]
        parts = []
        for kind, part in value:
            if kind is sre.LITERAL:
                parts.append(self._literal(part, flags))
            elif kind is sre.RANGE:
                parts.append(self._range(*part, flags))
            elif kind is sre.CATEGORY:
                parts.append(self._category(part, flags))
        is_negated = value[0][0] is sre.NEGATE
        return lambda one: any(part(one) for part in parts) != is_negated

    def _sequence(self, items: Iterable[tuple[object, object]], at: int, flags: int) -> int:
        for op, value in items:
            at = self._item(op, value, at, flags)
        return at

    def _item(self, op: object, value: object, at: int, flags: int) -> int:
        """Add one item of a parsed pattern after a state. Returns the state after it."""
        if op in _CHARACTER:
            return self._reading(at, self._class((op, str(value), flags), self._test(op, value, flags)))
        if op is sre.BRANCH:
            return self._branch(value[1], at, flags)
        if op is sre.SUBPATTERN:
            return self._sequence(value[3], at, (flags | value[1]) & ~value[2])
        if op is sre.ATOMIC_GROUP:
            return self._in_group(at, lambda begin: self._sequence(value, begin, flags))
        if op in _REPEATS:
            if op is sre.POSSESSIVE_REPEAT:
                return self._in_group(at, lambda begin: self._repeat(*value, begin, flags))
            return self._repeat(*value, at, flags)
        if op in (sre.ASSERT, sre.ASSERT_NOT):
            return self._look(list(value[1]), at, flags, forward=value[0] > 0, wanted=op is sre.ASSERT)
        if op is sre.AT:
            return self._after(at, self._anchor(value, flags))
        if op is sre.GROUPREF_EXISTS:
            return self._branch([part or [] for part in value[1:]], at, flags)
        return self._repeat(0, 3, [(sre.ANY, None)], at, flags)  # a reference to a group: a short text

    def _branch(self, branches: Iterable[Iterable[tuple[object, object]]], at: int, flags: int) -> int:
        end = self._state()
        for branch in branches:
            self._pass(self._sequence(branch, self._after(at), flags), end)
        return end

    def _in_group(self, at: int, add: Callable[[int], int]) -> int:
        outside = self._groups
        self._groups = (*outside, len(self.free))
        end = add(self._after(at))
        self._groups = outside
        return self._after(end)

    def _repeat(self, least: int, most: int, items: Sequence[tuple[object, object]], at: int, flags: int) -> int:
        copies = _COPIES if len(items) == 1 and items[0][0] in _CHARACTER else 2
        for _ in range(min(least, copies)):
            at = self._sequence(items, at, flags)
        if most > MOST:
            loop = self._after(at)
            self._pass(self._sequence(items, loop, flags), loop)
            return self._after(loop)
        end = self._after(at)
        for _ in range(min(most - least, max(1, copies - least))):
            at = self._sequence(items, at, flags)
            self._pass(at, end)
        return self._after(end)

    def _anchor(self, which: object, flags: int) -> Guard:
        word = self._category(sre.CATEGORY_WORD, flags)
        if which in (sre.AT_BOUNDARY, sre.AT_NON_BOUNDARY):
            self.before.append(word)
            is_same = which is sre.AT_NON_BOUNDARY

            def is_word(one: str | None) -> bool:
                return one is not None and word(one)

            return lambda last, following: (is_word(last) == is_word(following)) == is_same
        of_lines = flags & re.MULTILINE
        if which in (sre.AT_BEGINNING, sre.AT_BEGINNING_STRING):
            self.before.append(lambda one: one == "\n")
            return lambda last, following: last is None or bool(of_lines and which is sre.AT_BEGINNING and last == "\n")
        return lambda last, following: following is None or bool(of_lines and which is sre.AT_END and following == "\n")

    def _look(self, items: list[tuple[object, object]], at: int, flags: int, *, forward: bool, wanted: bool) -> int:
        """Add a look-around. The body of a long look-ahead is added beside, because reading it takes time, too."""
        test, is_exact = self._at_edge(items, flags, 0 if forward else -1)
        if forward and not is_exact:
            outside, self._is_ahead = self._is_ahead, True
            self._sequence(items, self._after(at), flags)
            self._is_ahead = outside
        if not forward:
            self.before.append(lambda one: test(one))
        if not wanted and not is_exact:
            return self._after(at, sure=False)
        if forward:
            return self._after(at, lambda last, following: test(following) == wanted, sure=is_exact)
        return self._after(at, lambda last, following: test(last) == wanted, sure=is_exact)

    def _at_edge(self, items: list[tuple[object, object]], flags: int, edge: int) -> tuple[Callable[[str | None], bool], bool]:
        """Return (what the first or last character of a text that these items read must be, whether that is all they ask for)."""
        if not items:
            return (lambda one: True), True
        op, value = items[edge]
        if op in _CHARACTER:
            test = self._test(op, value, flags)
            return (lambda one: one is not None and test(one)), len(items) == 1
        if op is sre.SUBPATTERN:
            inner, is_exact = self._at_edge(list(value[3]), (flags | value[1]) & ~value[2], edge)
            return inner, is_exact and len(items) == 1
        if op is sre.BRANCH:
            found = [self._at_edge(list(branch), flags, edge) for branch in value[1]]
            return (lambda one: any(inner(one) for inner, _ in found)), len(items) == 1 and all(is_exact for _, is_exact in found)
        if op is sre.AT and value in (sre.AT_END, sre.AT_END_STRING) and edge == 0 and not flags & re.MULTILINE:
            return (lambda one: one is None), len(items) == 1
        return (lambda one: True), False

    def _choose_alphabet(self) -> None:
        """Choose one character of each set that no class, guard or look-around tells apart."""
        kinds: dict[object, str] = {}
        seen: dict[object, str] = {}
        self._seen_as: dict[str | None, str | None] = {None: None}
        """{character: one that no guard before it tells from it}"""
        for sign in sorted(self.signs):
            guarded = tuple(guard(other, sign) for guard in self.guards for other in ("a", " ", "\n", None))
            kinds.setdefault((tuple(test(sign) for test in (*self.tests, *self.before)), guarded), sign)
            self._seen_as[sign] = seen.setdefault(guarded, sign)
        self.alphabet = list(kinds.values())
        self.kind_of = {sign: tuple(test(sign) for test in self.before) for sign in self.alphabet}
        self.lasts = {kind: sign for sign, kind in reversed(self.kind_of.items())}
        """One character for each kind of what may be before a place."""
        self._read_by = [frozenset(filter(test, self.alphabet)) for test in self.tests]
        self._reached: dict[object, dict[int, int]] = {}
        self._steps: dict[object, tuple[int, ...]] = {}

    def reached(self, state: int, last: str, following: str | None, *, surely: bool = False) -> dict[int, int]:
        """Return {state that is reached without reading: number of ways}."""
        last, following = self.lasts[self.kind_of[last]], self._seen_as[following]
        key = state, last, following, surely
        if key not in self._reached:
            ways, waiting = {state: 1}, [state]
            while waiting:
                begin = waiting.pop()
                for guard, end in self.free[begin]:
                    if (guard is None or guard(last, following)) and not (surely and (begin, end) in self.unsure):
                        if end not in ways:
                            waiting.append(end)
                        ways[end] = ways.get(end, 0) + 1
            self._reached[key] = ways
        return self._reached[key]

    def step(self, state: int, last: str, sign: str) -> tuple[int, ...]:
        """Return the states after reading a character."""
        key = state, self.kind_of[last], sign
        if key not in self._steps:
            found = (self.reads[each] for each in self.reached(state, last, sign))
            self._steps[key] = tuple({read[1] for read in found if read is not None and sign in self._read_by[read[0]]})
        return self._steps[key]

    def leads(self, state: int, sign: str) -> int | None:
        """Return the state after the one that reads this character, None if it reads another or none."""
        read = self.reads[state]
        return read[1] if read is not None and sign in self._read_by[read[0]] else None

    def is_left(self, states: Iterable[int], last: str, following: str | None, group: int | None = None) -> bool:
        """Return whether the pattern matches here, or an atomic group that surrounds the states is left, whatever follows."""
        for state in states:
            reached = self.reached(state, last, following, surely=True)
            if self.accept in reached or (group is not None and any(group not in self.atomic[each] for each in reached)):
                return True
        return False

    def edges(self) -> Iterator[tuple[int, set[int]]]:
        """Yield each state after a character with those after one more, without regard to guards."""
        known, waiting = set(), [self.start]
        while waiting:
            begin = waiting.pop()
            if begin in known:
                continue
            known.add(begin)
            seen, inner = {begin}, [begin]
            while inner:
                for _, end in self.free[inner.pop()]:
                    if end not in seen:
                        seen.add(end)
                        inner.append(end)
            ends = {read[1] for read in map(self.reads.__getitem__, seen) if read is not None}
            yield begin, ends
            waiting += ends
