"""Whether a terminator ends its sentence: the rules, for one terminator at a time.

`sentencex` decides what is left undecided here, most of all the abbreviations of some 300 languages. It is
shown a short window in which quotes, brackets and every other terminator are masked with private-use
characters of the same length, so that it judges this full stop and nothing else. A verdict depends on the
text from the start of the sentence to the end of the word after the terminator, never on more: that is what
makes a verdict in a stream final.
"""

import re
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

import sentencex

from flare_core.text.abbreviations import AFTER_CLOCK, ENGLISH, LETTERED, ORDINAL_DOT, WORDS, Words
from flare_core.text.pairs import MARKS, OPENING

SOFT = ".!?…‼⁇⁈⁉‽"
"""Terminators that end a sentence only before white space, and not always then."""
HARD = "。！？｡﹒﹖﹗։؟۔؝؞।॥။።፧፨܀܁܂߹᙮᠃᠉᱾᱿꓿꘎꘏꛳꛷꡶꡷꣎꣏꤯꧈꧉꩝꩞꩟꫰꫱꯫᥄᥅⸮"
"""Terminators that always end one, with or without a space, unless inside a quotation."""

LONGEST_WORD = 15
"""Characters of an unfinished next word that suffice to know that it is in no table."""

_MASK = "\ue000"
_NEUTRAL = str.maketrans(dict.fromkeys(MARKS + "'`*_<>" + SOFT + HARD, _MASK))
_SPACES = str.maketrans(dict.fromkeys(filter(str.isspace, map(chr, range(0x3001))), " "))
r"""sentencex 1.0.32 panics on a no-break space after an initial (`J\u00a0.`), as if spaces were one byte."""
_KANA = re.compile(r"[\u3040-\u30ff]")
_CJK_CHARS = r"\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef"
_CJK = re.compile(f"[{_CJK_CHARS}]")
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_CITATION = r"[^\S\n]?\[\d{1,3}(?:[,–-]\s?\d{1,3})*\](?!\()"
_HALF_CITATION = re.compile(r"[^\S\n]?(?:\[\d{1,3}(?:[,–-]\s?\d{1,3})*\][^\S\n]?)*\[(?:[\d,–-]|\s)*\]?\Z")
_EMOJI = r"[\u2600-\u27bf\U0001f300-\U0001faff\ufe0f\u200d]"
_CLOSE = (
    rf"(?:[)\]}}）】」』》〉”’›]|[\"'“»«](?!\w)|[*_]{{1,3}}(?!\w)|[^\S\n]»(?!\w)|{_CITATION}"
    rf"|[¹²³⁰⁴-⁹]|{_EMOJI}|[^\S\n]{_EMOJI}+(?!\S))*"
)
_BEFORE = re.compile(rf"[^\s{re.escape(MARKS + HARD + '!?…—–/*_~<>,:;=|#+')}{_CJK_CHARS}]*\Z")
_SPACED = re.compile(r"(?<![\w.])(?:[^\W\d_]\.\s)+[^\W\d_]\Z")
_DOTTED = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]\Z")
_LABEL = re.compile(r"(?:\d{1,3}|[^\W\d_]|[IVX]{1,4})\Z")


class Verdict(Enum):
    """What a terminator is."""

    END = "end"
    INSIDE = "inside"
    WAIT = "wait"
    """The text ends too soon after it to tell."""


@dataclass(frozen=True)
class Rules:
    """What one language needs: its tables, its code for sentencex, its terminators."""

    code: str
    words: Words
    ordinal_dot: bool
    run: re.Pattern[str]
    """A run of terminators with what follows: groups run, close, gap, open, word."""
    event: re.Pattern[str]
    """The next place where something may happen: a terminator, a quote or bracket, a line end."""


@lru_cache(maxsize=64)
def rules_for(lang: str) -> Rules:
    """The rules of a BCP-47-ish code (`pt-BR`, `zh_Hans`); those of English where a language is unknown."""
    code = re.split(r"[-_]", lang.strip().lower())[0] or "en"
    terminators = SOFT + HARD + (";\u037e" if code == "el" else "")
    ahead = rf"(?P<gap>\s*)(?P<open>(?:[—–-]\s+)?[^\w\s{terminators}]*)(?P<word>\w*)"
    run = rf"(?P<run>[{terminators}]+)(?P<close>{_CLOSE}){ahead}"
    event = rf"[{terminators}\n{re.escape(MARKS)}]"
    words = WORDS.get(code, ENGLISH)
    return Rules(code, words, code in ORDINAL_DOT, re.compile(run), re.compile(event))


def judge(text: str, first: int, run: re.Match[str], rules: Rules, *, own_line: bool, growing: bool) -> Verdict:
    """Judge the terminators `run` of the sentence that starts at `first`, quotation and brackets left aside.

    `own_line` says that the sentence cannot reach beyond its line; `growing` that more text may follow.
    """
    gap = run["gap"]
    if _BLANK_LINE.search(gap) or (own_line and "\n" in gap):
        return Verdict.END
    if growing and _too_soon(text, run):
        return Verdict.WAIT
    if run.end() == len(text) and not run["open"] and not run["word"]:
        return Verdict.END
    mark = run["run"]
    if mark[-1] in HARD:
        return Verdict.END
    if not gap:
        return _ended(_ends_before_cjk(text, first, run) or _lacks_space(text, first, run, rules))
    return _ended(_soft_ends(text, first, run, rules))


def goes_on_after_quote(text: str, opener: int, run: re.Match[str], rules: Rules) -> bool:
    """Whether the sentence goes on after a quotation closed without a space (`「はい。」と言った。`).

    Chinese: a quotation introduced by a colon or comma ends the sentence, one that opens it does not.
    Japanese: it goes on, since a particle or a verb of speech follows.
    """
    after = text[run.end("close") : run.end("close") + 1]
    if not _CJK.match(after):
        return False
    if after in OPENING or after in '“"':
        return False
    japanese = rules.code == "ja" or _KANA.match(text, run.end("close")) is not None
    return japanese or text[opener - 1 : opener] not in {"：", ":", "，", ","}


def _ended(ends: bool) -> Verdict:
    return Verdict.END if ends else Verdict.INSIDE


def _too_soon(text: str, run: re.Match[str]) -> bool:
    """Whether the text ends before the look-ahead that a final verdict needs.

    That is two characters of the next word, and after a single full stop the whole word, which may be in a
    table; and never a numbered citation of which only a part is there.
    """
    if run.end() == len(text):
        in_word = not run["gap"] and not run["word"][:1].isupper()
        needed = 2 if in_word or run["run"] != "." else LONGEST_WORD
        if len(run["word"]) < needed:
            return True
    return "[" in run["open"] and _HALF_CITATION.match(text, run.end("close")) is not None


def _ends_before_cjk(text: str, first: int, run: re.Match[str]) -> bool:
    """Without a space, `?` and `!` end a sentence before a CJK character, `.` only between two of them."""
    if not _CJK.match(text, run.end("close")):
        return False
    if run["run"][-1] in "!?‼⁇⁈⁉‽":
        return True
    return run["run"] == "." and run.start() > first and _CJK.match(text, run.start() - 1) is not None


def _lacks_space(text: str, first: int, run: re.Match[str], rules: Rules) -> bool:
    """A full stop between a plain word and an opener lacks its space (`It was late.Then`)."""
    if run["run"] != "." or run["word"] not in rules.words.openers:
        return False
    before = text[max(first, run.start() - 3) : run.start()]
    return len(before) == 3 and before.isalpha() and before.islower()


def _soft_ends(text: str, first: int, run: re.Match[str], rules: Rules) -> bool:
    """The rules for `.`, `!`, `?` and ellipses before white space."""
    word, mark = run["word"], run["run"]
    lower = word[:1].islower() and not any(c.isupper() for c in word[1:3])  # iPhone starts a sentence
    if mark != ".":
        numeral_goes_on = word[:1].isdigit() and mark[-1] in ".…"
        return not lower and not numeral_goes_on
    head = text[max(first, run.start() - 40) : run.start()]
    before = _BEFORE.search(head)
    return _full_stop_ends(head, before.group() if before else "", run, lower, rules)


def _full_stop_ends(head: str, before: str, run: re.Match[str], lower: bool, rules: Rules) -> bool:
    """The rules for one full stop after the word `before`, from the surest to the least sure."""
    words, word = rules.words, run["word"]
    spaced = _SPACED.search(head)
    short = spaced.group().replace(" ", "") if spaced else before
    if _listed(short, words.never_last):
        return False
    if word[:1].isdigit() and _listed(before, words.before_number):
        return False
    if _is_label(head, before):
        return False
    if lower:
        return not _goes_on_in_lower_case(short, run) and _sentencex_ends(head, run, rules)
    if word in words.openers:
        return True
    if _listed(short, words.mostly_last):
        return not word[:1].isdigit()
    if run["close"]:
        return True
    if _DOTTED.match(short) or (len(short) == 1 and short.isalpha()):
        return _initial_ends(head, short, run)
    if _listed(short, words.maybe_last):
        return False
    if rules.ordinal_dot and before.isdigit() and len(before) <= 2:
        return False
    return _sentencex_ends(head, run, rules)


def _is_label(head: str, before: str) -> bool:
    """Whether this is the `1.`, `a.` or `IV.` that opens a sentence, or a number after a colon."""
    if not _LABEL.match(before):
        return False
    ahead = head[: -len(before)].strip("*_#- \n\t")
    return not ahead or (ahead[-1] in ":：" and before.isdigit())


def _listed(word: str, table: frozenset[str]) -> bool:
    """Whether a table holds the word; one letter must match in case too."""
    return word in table if len(word) == 1 else word.lower() in table


def _goes_on_in_lower_case(before: str, run: re.Match[str]) -> bool:
    """A lower-case word goes on after anything like an abbreviation; after a plain word the stop counts."""
    if before.isdigit():
        return len(before) <= 2
    return bool(run["close"]) or len(before) <= 4 or "." in before or before[0].isupper()


def _initial_ends(head: str, before: str, run: re.Match[str]) -> bool:
    """After letters with full stops, before a capital or number that opens no sentence for sure.

    `p.m.` ends one unless a day or time zone follows, `U.S.` never does, a small letter does unless another
    letter follows (`z. B.`) or it abbreviates (`v. Wade`), a capital does only as a label (`vitamin C.`).
    """
    if before.lower() in {"a.m", "p.m"}:
        return run["word"] not in AFTER_CLOCK
    if len(before) > 1:
        return False
    if before.islower():
        return len(run["word"]) > 1 and before not in {"c", "d", "p", "v"}
    ahead = head[:-1].rstrip().rpartition(" ")[2].lower()
    return ahead in LETTERED


def _sentencex_ends(head: str, run: re.Match[str], rules: Rules) -> bool:
    """Ask sentencex about this full stop alone, all other marks masked."""
    window = f"{head.translate(_NEUTRAL)}. {run['open'].translate(_NEUTRAL)}{run['word']} "
    first = sentencex.get_sentence_boundaries(rules.code, window.translate(_SPACES))[0]
    return int(first["end_index"]) < len(window)
