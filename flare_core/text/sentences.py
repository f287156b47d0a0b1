"""Sentences as spans of a text: all at once, and while the text still grows.

Both are one scanner. It goes from mark to mark and decides each from its own sentence and a bounded
look-ahead; where the look-ahead is not there yet it waits. So a span given out is never taken back, and the
spans do not depend on how the text was cut into pieces.

>>> split("Dr. Lee left. Why?")
[(0, 13), (14, 18)]
"""

import re

from flare_core.text.boundaries import Rules, Verdict, goes_on_after_quote, judge, rules_for
from flare_core.text.pairs import BRACKETS, MARKS, take

Span = tuple[int, int]
"""Half-open range of characters (code points), without white space at either end."""

LONGEST_PAIR = 240
"""Characters that a quotation or bracket may hold and still keep its sentences together; a longer one, or
one never closed, is as if it were not there. It bounds how long a stream waits for a closing mark."""

_OWN_LINE = re.compile(r"[^\S\n]*(?:#{1,6}(?=\s)|(?:[-*+•‣]|\d{1,3}[.)])(?=[^\S\n])|\|)")
"""Start of a heading, list item or table row: a line that shares no sentence with its neighbours."""
_HALF_OWN_LINE = re.compile(r"[^\S\n]*(?:#{1,6}|[-*+•‣]|\d{1,3}[.)]?)?\Z")
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_MARK_OR_BLANK_LINE = re.compile(rf"\n[^\S\n]*\n|[{re.escape(MARKS)}]")
_MARK_OR_LINE_END = re.compile(rf"\n|[{re.escape(MARKS)}]")


def split(text: str, lang: str = "en") -> list[Span]:
    """Sentence spans of `text`: in order, apart, with nothing but white space outside them.

    `lang` is a BCP-47-ish code; an unknown one means the rules of English.
    """
    return _Scanner(rules_for(lang), text).run(growing=False)


class SentenceStream:
    """Sentence boundaries of a text that arrives in pieces.

    >>> stream = SentenceStream()
    >>> [stream.feed(piece) for piece in ("It", " rained.", " We", " stayed")]
    [[], [], [], [(0, 10)]]
    >>> stream.finish()
    [(11, 20)]
    """

    def __init__(self, lang: str = "en") -> None:
        self._rules = rules_for(lang)
        self._scanner = _Scanner(self._rules, "")
        self._pieces: list[str] = []
        self._offset = 0
        self._idle = False

    @property
    def text(self) -> str:
        """All that was fed."""
        return "".join(self._pieces)

    @property
    def tail(self) -> str:
        """What follows the last span given out."""
        return self._scanner.text

    def feed(self, piece: str) -> list[Span]:
        """Add a piece; return the spans that no further text can change, in characters of the whole text."""
        self._pieces.append(piece)
        self._scanner.text += piece
        if self._idle and not self._rules.event.search(piece):
            return []
        return self._advance(growing=True)

    def finish(self) -> list[Span]:
        """Return the remaining spans; the text is complete."""
        return self._advance(growing=False)

    def _advance(self, *, growing: bool) -> list[Span]:
        found = self._scanner.run(growing=growing)
        spans = [(start + self._offset, end + self._offset) for start, end in found]
        self._offset += self._scanner.forget()
        self._idle = self._scanner.idle
        return spans


class _Scanner:
    """Finds sentence ends in `text`, which may grow at its end between two runs."""

    def __init__(self, rules: Rules, text: str) -> None:
        self.text = text
        self.idle = False
        """Whether the last run waits for nothing: only a new mark or line end can matter."""
        self._rules = rules
        self._pos = 0
        """The next character to look at."""
        self._first = 0
        """Where the sentence in work starts, leading white space included."""
        self._line_starts = True
        """Whether a line starts at `_pos` whose kind is not known yet."""
        self._own_line = False
        self._open: list[int] = []
        """Offsets of the marks open in this sentence."""
        self._found: list[Span] = []

    def run(self, *, growing: bool) -> list[Span]:
        """The spans whose ends are certain since the last run; with `growing` false, all that are left."""
        self._found = []
        self.idle = False
        while self._step(growing):
            pass
        if not growing:
            self._cut(len(self.text))
        return self._found

    def forget(self) -> int:
        """Drop the text before the sentence in work; return how many characters that were."""
        gone, self._first = self._first, 0
        self.text = self.text[gone:]
        self._pos -= gone
        self._open = [at - gone for at in self._open]
        return gone

    def _step(self, growing: bool) -> bool:
        """Go past the next mark or line end; false when there is none or it cannot be decided yet."""
        if self._line_starts and not self._enter_line(growing):
            return False
        event = self._rules.event.search(self.text, self._pos)
        if event is None:
            self._pos = len(self.text)
            self.idle = True
            return False
        self._pos = event.start()
        if event.group() == "\n":
            return self._end_line(growing)
        return self._pass_mark(growing) if event.group() in MARKS else self._pass_terminators(growing)

    def _enter_line(self, growing: bool) -> bool:
        if growing and _HALF_OWN_LINE.match(self.text, self._pos):
            return False
        start = _OWN_LINE.match(self.text, self._pos)
        self._own_line = start is not None
        self._pos = start.end() if start else self._pos
        self._line_starts = False
        return True

    def _end_line(self, growing: bool) -> bool:
        """Cut after a line of its own, before one, and at a blank line; else the sentence goes on."""
        at = self._pos
        surely = self._own_line or _BLANK_LINE.match(self.text, at)
        if not surely and growing and _HALF_OWN_LINE.match(self.text, at + 1):
            return False
        if surely or _OWN_LINE.match(self.text, at + 1):
            self._cut(at)
        self._pos = at + 1
        self._line_starts = True
        return True

    def _pass_mark(self, growing: bool) -> bool:
        if growing and self._pos + 1 == len(self.text):
            return False
        while self._open and self._pos - self._open[0] > LONGEST_PAIR:
            self._open.pop(0)
        take(self.text, self._pos, self._first, self._open)
        self._pos += 1
        return True

    def _pass_terminators(self, growing: bool) -> bool:
        run = self._rules.run.match(self.text, self._pos)
        assert run is not None, "the event was a terminator"
        verdict = judge(self.text, self._first, run, self._rules, own_line=self._own_line, growing=growing)
        if verdict is Verdict.END and self._open:
            verdict = self._judge_in_pairs(run, growing)
        if verdict is Verdict.WAIT:
            return False
        self._pos = run.end("run")
        if verdict is Verdict.END:
            self._pos = run.end("close")
            self._cut(self._pos)
        return True

    def _judge_in_pairs(self, run: re.Match[str], growing: bool) -> Verdict:
        """Terminators inside a pair count only where all pairs close at once, a bracket only if it opened
        the sentence."""
        pairs = self._pairs_around(run.start(), growing)
        if pairs is None:
            return Verdict.WAIT
        if not pairs:
            return Verdict.END
        if any(close >= run.end("close") for _, close in pairs):
            return Verdict.INSIDE
        opener = min(pairs)[0]
        opens_sentence = not self.text[self._first : opener].strip("*_ \t\n")
        if self.text[opener] in BRACKETS:
            return Verdict.END if opens_sentence else Verdict.INSIDE
        return Verdict.INSIDE if goes_on_after_quote(self.text, opener, run, self._rules) else Verdict.END

    def _pairs_around(self, at: int, growing: bool) -> list[Span] | None:
        """Offsets of the marks that enclose `at`, or None while a mark that follows may still close one."""
        stack, pairs = list(self._open), list[Span]()
        outer = len(stack)  # so many marks on the stack were opened before `at`
        pattern = _MARK_OR_LINE_END if self._own_line else _MARK_OR_BLANK_LINE
        for mark in pattern.finditer(self.text, at, stack[-1] + LONGEST_PAIR + 1):
            if mark.group()[0] == "\n":
                return pairs
            if growing and mark.end() == len(self.text):
                break
            take(self.text, mark.start(), self._first, stack)
            if len(stack) < outer:
                outer = len(stack)
                opener = self._open[outer]
                if mark.start() - opener <= LONGEST_PAIR:
                    pairs.append((opener, mark.start()))
            if not outer:
                return pairs
        alive = growing and any(len(self.text) - opener <= LONGEST_PAIR + 1 for opener in stack[:outer])
        return None if alive else pairs

    def _cut(self, end: int) -> None:
        """Give out what lies between the last cut and `end`, if there is anything but white space."""
        sentence = self.text[self._first : end]
        start = self._first + len(sentence) - len(sentence.lstrip())
        if sentence.strip():
            self._found.append((start, start + len(sentence.strip())))
        self._first = end
        self._open.clear()
