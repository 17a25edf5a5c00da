"""The player's own files: house rules in TOML, which are data, and plugins in Python, which are code.

The law of the file
    Code is loaded only when the player has said yes to exactly this content (``rummy-p2p variants trust FILE``); what
    is run is what was hashed. Every other ``.py`` is listed and not touched. No code ever comes from a peer.
    Tests (``test_*.py``) and scenarios (``*.scenario.toml``) lie beside the files that they are about, and are neither.
"""

from __future__ import annotations

import hashlib
import linecache
import sys
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Final

from rummy_p2p.store import Notice, Store, StoreError
from rummy_p2p.variants.manager import TOML, FileError, Source, only_wanted

_PACKAGE: Final = "rummy_p2p_own_variants"
_VERSION: Final = 12


def own_variants(store: Store) -> tuple[tuple[Source, ...], tuple[Notice, ...]]:
    """Return the plugins in the player's folder, and what the player should be told about the folder as such."""
    try:
        trusted, notice = store.trusted()
        found = [_source(path, store, trusted) for path in store.variants() if _is_variant(path)]
    except StoreError as error:
        return (), (Notice(error.code, str(error)),)
    return only_wanted(found, own=True), (notice,) if notice else ()


def with_files(sources: Iterable[Source], texts: Iterable[str]) -> tuple[Source, ...]:
    """Return the sources with the TOML files that are named as house rules, in place of the player's of the same name.

    A file that is not there may be one of the player's folder. Raises FileError.
    """
    found = list(sources)
    named: dict[str, Path] = {}
    for path in (Path(text) for text in texts if text.endswith(TOML)):
        if path.exists() or path.name not in {source.name for source in found if source.own}:
            found = [source for source in found if not (source.own and source.name == path.name)]
            found.append(_named(path))
            if named.setdefault(path.name, path).absolute() != path.absolute():
                told = f"{named[path.name]} and {path} have the same name, and a house rule is called after its file"
                raise FileError("rule-conflict", f"{told}. Rename one of them.")
    return tuple(found)


def _named(path: Path) -> Source:
    from rummy_p2p.variants.toml import read_rule, source_of

    return source_of(read_rule(path))


def file_source(path: Path, store: Store) -> Source:
    """Return the plugin that a file is, wherever it lies; code fails to load while it is not trusted."""
    return _source(path, store, store.trusted()[0])


def _is_variant(path: Path) -> bool:
    if path.name.startswith((".", "_")):
        return False
    if path.suffix == ".py":
        return not path.name.startswith("test_")
    return path.suffix == TOML and not path.name.endswith(f".scenario{TOML}")


def _source(path: Path, store: Store, trusted: frozenset[str]) -> Source:
    if path.suffix != TOML:
        return _code(path, store, trusted)
    from rummy_p2p.variants.toml import toml_source

    return toml_source(path)


def _code(path: Path, store: Store, trusted: frozenset[str]) -> Source:
    try:
        content = store.plugin(path)
    except StoreError as error:
        return _broken(path, str(error))
    digest = hashlib.sha256(content).hexdigest()

    def load() -> object:
        if digest not in trusted:
            raise FileError("unknown-rule", f"it is not trusted; read it, then run: rummy-p2p variants trust '{path}'")
        return _run(path, content)

    return Source(path.name, str(path), digest[:_VERSION], load, own=True)


def _broken(path: Path, why: str) -> Source:
    def load() -> object:
        raise FileError("unknown-rule", why)

    return Source(path.name, str(path), "", load, own=True)


def _run(path: Path, content: bytes) -> ModuleType:
    """Run the very bytes that were hashed; their lines are kept, since functions of plugins are compared by them."""
    name = f"{_PACKAGE}.{path.stem}"
    module = ModuleType(name)
    module.__file__ = str(path)
    code = compile(content, str(path), "exec")
    text = content.decode()  # what compile has taken is UTF-8, unless it says otherwise by itself
    linecache.cache[str(path)] = (len(content), None, text.splitlines(keepends=True), str(path))
    sys.modules[name] = module  # msgspec and typing look up the names of annotations there
    try:
        exec(code, module.__dict__)  # noqa: S102 -- the player has said yes to exactly this content
    except BaseException:
        del sys.modules[name]
        raise
    return module
