"""An owner's values laid over ours: what is written replaces, what is not written stays.

The schemas say what can be laid over value by value: a mapping key by key, and a list whose
entries are `known_by` an id, or by several keys (`either_way`: in any order). Any other list, text
or number is replaced as a whole. Two words serve to take away: `absent: true` in an entry leaves
it out, `without: [key]` in a mapping leaves out keys that ours has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pbem.messages import Said, say
from pbem.problems import Problem, Span
from pbem.text.wording import did_you_mean, quoted
from pbem.text.yamlsource import Document, Path

ABSENT = "absent"
WITHOUT = "without"
PROVENANCE = "provenance"
Schema = Mapping[str, Any]


@dataclass(frozen=True)
class Overlaid:
    """The content of two documents together, and the one each value comes from.

    `left_out` has the entries taken away: the list, the entry's id, and its path in `own`.
    """

    own: Document | Overlaid
    value: Any
    places: Mapping[Path, tuple[Document | Overlaid, Path]]
    left_out: tuple[tuple[str, str, Path], ...] = ()
    problems: tuple[Problem, ...] = ()
    added: Mapping[Span, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    """Entries that ours lacks, by their place: the name of each, and the names of ours."""

    def span(self, path: Path = ()) -> Span:
        """The place of the value, in the owner's file or in ours."""
        document, there = self._place(path)
        return document.span(there)

    def key_span(self, path: Path) -> Span:
        """The place of the key at a path, in the file that set it last."""
        document, there = self._place(path)
        return document.key_span(there)

    def is_own(self, path: Path) -> bool:
        """Whether the value is the owner's."""
        return self._place(path)[0] is self.own

    @property
    def is_alone(self) -> bool:
        """Whether nothing of ours is below."""
        return len(self.places) == 1

    def is_taken_away(self, path: Path) -> bool:
        """Whether the owner says that there is no such value."""
        return path in self.places and self.is_own(path)

    def _place(self, path: Path) -> tuple[Document | Overlaid, Path]:
        for length in range(len(path), -1, -1):
            if path[:length] in self.places:
                document, there = self.places[path[:length]]
                return document, (*there, *path[length:])
        return self.own, ()


def lay_over(base: Document | Overlaid, own: Document | Overlaid, schema: Schema) -> Overlaid:
    """One document over another: the owner's over ours, a scenario over the one it shares with.

    What is laid over fits the partial schema already.
    """
    layer = _Layer(base, own, schema)
    value = layer.merged(schema, base.value, (), own.value, (), ())
    left_out, problems = tuple(layer.left_out), tuple(layer.problems)
    return Overlaid(own, value, layer.places, left_out, problems, layer.added)


def alone(own: Document) -> Overlaid:
    """A document of the owner's where we have none."""
    return Overlaid(own, own.value, {(): (own, ())})


@dataclass
class _Layer:
    base: Document | Overlaid
    own: Document | Overlaid
    schema: Schema
    places: dict[Path, tuple[Document | Overlaid, Path]] = field(default_factory=dict)
    left_out: list[tuple[str, str, Path]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    added: dict[Span, tuple[str, tuple[str, ...]]] = field(default_factory=dict)

    def merged(
        self, node: Schema, ours: Any, here: Path, theirs: Any, there: Path, path: Path
    ) -> Any:
        """`here` and `there` are the paths in our and the owner's document, `path` in the whole."""
        node = resolved(self.schema, node)
        if is_mapping(node) and isinstance(ours, dict) and isinstance(theirs, dict):
            self.places[path] = (self.own, there)
            return self._mapping(node, ours, here, theirs, there, path)
        if "known_by" in node and isinstance(ours, list) and isinstance(theirs, list):
            self.places[path] = (self.own, there)
            return self._list(node, ours, here, theirs, there, path)
        self.places[path] = (self.own, there)
        return theirs

    def _mapping(
        self, node: Schema, ours: Any, here: Path, theirs: Any, there: Path, path: Path
    ) -> dict[str, Any]:
        value = {}
        gone = theirs.get(WITHOUT, ())
        for index, key in enumerate(gone):
            self.places[*path, key] = (self.own, (*there, WITHOUT, index))
            if key not in ours:
                self._tell(
                    (*there, WITHOUT, index), say("there is no {key} to leave out", key=quoted(key))
                )
        for key, old in ours.items():
            if key in theirs and key != WITHOUT:
                inner = self._inner(node, key)
                value[key] = self.merged(
                    inner, old, (*here, key), theirs[key], (*there, key), (*path, key)
                )
            elif key not in gone:
                value[key] = old
                self.places[*path, key] = (self.base, (*here, key))
        for key, new in theirs.items():
            if key not in ours and key not in (WITHOUT, ABSENT):
                value[key] = new
                self.places[*path, key] = (self.own, (*there, key))
        return value

    def _inner(self, node: Schema, key: str) -> Schema:
        found: Schema = node.get("properties", {}).get(key) or node.get("additionalProperties", {})
        return found

    def _list(
        self, node: Schema, ours: Any, here: Path, theirs: Any, there: Path, path: Path
    ) -> list[Any]:
        """Ours in their order, with what is laid over them; then what is new."""
        laid: dict[Any, int] = {}
        for index, entry in enumerate(theirs):
            known = identity(node, entry)
            if known in laid:
                self._tell((*there, index), say("{node} is here twice", node=named(node, entry)))
            laid[known] = index
        value: list[Any] = []
        known_names = tuple(named(node, old) for old in ours)
        for at, old in enumerate(ours):
            over = laid.pop(identity(node, old), None)
            inner: Path = (*path, len(value))
            if over is None:
                self.places[inner] = (self.base, (*here, at))
                value.append(old)
            elif theirs[over].get(ABSENT):
                self.left_out.append((str(path[-1]), named(node, old), (*there, over)))
            else:
                # What an entry is known by stays as ours has it.
                over_it = {key: v for key, v in theirs[over].items() if key not in node["known_by"]}
                value.append(
                    self.merged(node["items"], old, (*here, at), over_it, (*there, over), inner)
                )
        for index in sorted(laid.values()):
            entry = theirs[index]
            name, span = named(node, entry), self.own.span((*there, index))
            if entry.get(ABSENT):
                hint = did_you_mean(name, known_names)
                message = say("there is no {name} to leave out", name=name)
                self.problems.append(Problem("overlay", message, span, hint=hint))
                continue
            self.added[span] = (name, known_names)
            self.places[*path, len(value)] = (self.own, (*there, index))
            value.append({key: entry[key] for key in entry if key != WITHOUT})
        return value

    def _tell(self, path: Path, message: Said) -> None:
        self.problems.append(Problem("overlay", message, self.own.span(path)))


def identity(node: Schema, entry: Mapping[str, Any]) -> Any:
    """The values that identify an entry of a list."""
    values = [entry[key] for key in node["known_by"]]
    return frozenset(values) if node.get("either_way") else tuple(values)


def named(node: Schema, entry: Mapping[str, Any]) -> str:
    """What an entry of a list is called: the values it is known by."""
    return " - ".join(str(entry[key]) for key in node["known_by"])


def resolved(root: Schema, node: Schema) -> Schema:
    """The node a `$ref` of this schema points to."""
    while "$ref" in node:
        node = root["$defs"][node["$ref"].rpartition("/")[2]]
    return node


def is_mapping(node: Schema) -> bool:
    """Whether the values of such a node are laid over key by key."""
    return node.get("type") == "object"


# ---------------------------------------------------------------- what shares with another

SAME_AS = "same_as"
OF_ITS_OWN = ("id", "title", SAME_AS)
"""What a document that shares with another must say itself."""


def sharing(documents: Mapping[str, Any], schema: Schema) -> Iterator[tuple[str, Overlaid]]:
    """Each document that is `same_as` another one of these, laid over it; by its path.

    The other must say all itself; where there is none nothing is given.
    """
    for path, found in documents.items():
        other = found.value.get(SAME_AS)
        base = documents.get(f"{path.rpartition('/')[0]}/{other}.yaml") if other else None
        if base is not None and SAME_AS not in base.value:
            yield path, lay_over(base, found, schema)


def shares(value: Any) -> bool:
    """Whether it refers to another entry (`same_as`)."""
    return isinstance(value, dict) and SAME_AS in value


def partial_of_one_that_shares(schema: Schema) -> dict[str, Any]:
    """The schema of a document that says only in what it differs from another one next to it."""
    return {**partial(schema), "required": list(OF_ITS_OWN)}


# ---------------------------------------------------------------- the schema of a part


def partial(schema: Schema) -> dict[str, Any]:
    """The schema of a file that says only what differs."""
    return {**_partial(schema, schema), "$defs": schema.get("$defs", {})}


def _partial(root: Schema, node: Schema) -> dict[str, Any]:
    node = resolved(root, node)
    if is_mapping(node):
        return _partial_mapping(root, node)
    if "known_by" in node:
        entry = _partial_mapping(root, resolved(root, node["items"]))
        entry["properties"][ABSENT] = {
            "const": True, "description": "The printed game has no such entry."
        }  # fmt: skip
        entry["required"] = list(node["known_by"])
        return {**{key: node[key] for key in node if key != "minItems"}, "items": entry}
    return dict(node)


def _partial_mapping(root: Schema, node: Schema) -> dict[str, Any]:
    needed = ("required", "minProperties", "anyOf")
    found = {key: value for key, value in node.items() if key not in needed}
    inner = node.get("properties", {})
    optional = [key for key in inner if key not in node.get("required", ())]
    keys = {"enum": optional} if inner and optional else {"type": "string", "maxLength": 60}
    found["properties"] = {key: _partial(root, value) for key, value in inner.items()}
    found["properties"][WITHOUT] = {
        "type": "array", "description": "Keys that ours has and the printed game does not.",
        "items": keys, "uniqueItems": True, "maxItems": 60,
    }  # fmt: skip
    if isinstance(node.get("additionalProperties"), Mapping):
        found["additionalProperties"] = _partial(root, node["additionalProperties"])
    return found


def without_sources(node: Any) -> Any:
    """The schema of what has been laid over: an owner need not say where each value is from."""
    if isinstance(node, dict):
        found = {key: without_sources(value) for key, value in node.items()}
        if isinstance(found.get("required"), list):
            found["required"] = [key for key in found["required"] if key != PROVENANCE]
        return found
    if isinstance(node, list):
        return [without_sources(value) for value in node]
    return node
