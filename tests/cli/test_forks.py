"""Old files, second stories and wrong keys, as the victim meets them: the whole exchange, to the
letter.

Each scene is one case of the list of cheats; tests/golden/adversarial/<case>.txt holds what was
called and what was said. PBEM_GOLDEN=write rewrites them: read the difference before you commit it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Iterable
from email.message import EmailMessage
from pathlib import Path
from unittest import mock

import pytest

from pbem.cli import folder, report
from pbem.gamefile import fork, format
from pbem.gamefile.chain import ZEROS, Entry, sign_entry
from pbem.gamefile.keys import KeyPair, load_private
from pbem.gamefile.public_keys import public_line
from pbem.problems import Problem
from tests.cli.desk import CHAPTER24, Desk
from tests.gamefile.mutations import SMALL

FIRST = CHAPTER24 / "01-nationalist.yaml"
GOLDEN = Path(__file__).parents[1] / "golden" / "adversarial"


class Scene:
    """Two players with machines of their own at one desk, and a record of what is said there."""

    def __init__(self, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
        self.desk = desk
        self.patch = monkeypatch
        self.lines: list[str] = []

    def at(self, machine: str) -> None:
        """From here on at another machine, which knows only what it has seen itself."""
        self.patch.setenv("XDG_CONFIG_HOME", str(self.desk.folder / ".home" / machine))

    def quietly(self, *words: str | Path) -> None:
        """A command that goes well and is not what the scene is about."""
        result = self.desk.pbem(*words)
        assert result.code == 0, result

    def call(self, code: int, *words: str) -> str:
        """A command of the scene, with the code it must end with; what it said goes on record."""
        classes: list[str] = []

        def noted(found: Iterable[Problem], *, as_json: bool) -> None:
            found = list(found)
            classes.extend(problem.code for problem in found)
            printed(found, as_json=as_json)

        printed = report.problems
        with mock.patch("pbem.cli.report.problems", noted):
            result = self.desk.pbem(*words)
        assert result.code == code, result
        said = constant(result.out + result.err)
        ended = " ".join([f"exit {code}", *classes])
        self.lines += [f"$ pbem {constant(' '.join(words))}", said.rstrip("\n"), ended, ""]
        return said

    def key(self, name: str) -> KeyPair:
        return load_private((self.desk.folder / f"{name}.key").read_bytes())

    def entries(self, game: str) -> list[Entry]:
        return format.read((self.desk.folder / game).read_bytes())

    def lay(self, game: str, entries: list[Entry]) -> None:
        (self.desk.folder / game).write_bytes(format.write(entries))

    def evidence(self) -> list[str]:
        return sorted(path.name for path in self.desk.folder.glob("fork_*.json"))

    def ends(self, case: str) -> None:
        """Holds what was said against the golden text."""
        text = "\n".join(self.lines)
        path = GOLDEN / f"{case}.txt"
        if os.environ.get("PBEM_GOLDEN") == "write":
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        assert text == path.read_text(encoding="utf-8")


def constant(text: str) -> str:
    """The text without what changes with the data of the game: ids and fingerprints."""
    text = re.sub(r"\b[0-9a-f]{64}\b", "<id>", text)
    text = re.sub(
        r"fork_[0-9a-f]{8}(-\d\d\d-[ab])_[0-9a-f]{8}_[0-9a-f]{8}", r"fork_<id>\1_<id>_<id>", text
    )
    text = re.sub(r"in words: .*", "in words: <words>", text)
    text = re.sub(r"data [0-9a-f]{16}\b", "data <data>", text)
    return re.sub(r"\b\d{4}( \d{4}){4}\b", "<digits>", text)


@pytest.fixture
def scene(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Scene:
    """Ana and Beto up to g4; Beto has answered Ana's g3, each on a machine of their own."""
    scene = Scene(desk, monkeypatch)
    scene.at("beto")
    scene.quietly("apply", "g3.json", "--key", "beto.key", "-o", "g4.json")
    scene.at("ana")
    scene.quietly("apply", "g2.json", FIRST, "--key", "ana.key", "-o", "g3.json")
    return scene


def other_orders(scene: Scene, *orders: str) -> None:
    """Ana answers g2 once more, on a machine that knows nothing: x3."""
    scene.at("elsewhere")
    path = scene.desk.orders(*orders)
    scene.quietly("apply", "g2.json", path, "--key", "ana.key", "-o", "x3.json")
    scene.at("beto")


def forged(scene: Scene, game: str, who: str, steps: list[dict[str, object]]) -> list[Entry]:
    """The game with one more entry, well signed and well linked, of whatever steps."""
    entries = scene.entries(game)
    seq = len(entries)
    payload = {
        "v": 1, "game": entries[1].id if seq > 1 else ZEROS, "seq": seq, "prev": entries[-1].id,
        "by": "A" if who == "ana" else "B", "steps": steps, "post": "0" * 16, "tool": "pbem test",
    }  # fmt: skip
    return [*entries, sign_entry(scene.key(who), payload)]


# --- the cases ----------------------------------------------------------------------------------


def test_19_an_entry_rewritten_after_it_was_answered(scene: Scene):
    other_orders(scene, "play: {card: N1, for: event}")
    scene.call(3, "apply", "x3.json", "--key", "beto.key", "-o", "x4.json")
    (proof,) = scene.evidence()
    scene.call(0, "prove-fork", proof)
    scene.call(0, "prove-fork", "g4.json", "x3.json")
    assert not (scene.desk.folder / "x4.json").exists()
    scene.ends("19-rewritten-after-the-answer")


def test_20_a_file_that_ends_earlier_than_what_was_seen(scene: Scene):
    scene.at("beto")
    scene.call(3, "apply", "g1.json", "--key", "beto.key", "-o", "x2.json")
    scene.call(0, "status", "g1.json", "--key", "beto.key")
    scene.call(1, "prove-fork", "g1.json", "g4.json")
    assert scene.evidence() == []
    scene.ends("20-older-than-seen")


def test_21_another_entry_than_the_one_seen(scene: Scene):
    other_orders(scene, "play: {card: N1, for: event}")
    scene.at("third")
    last = ("--last", "g3.json")
    scene.call(3, "verify", "x3.json", *last)
    assert scene.evidence() == []
    scene.call(3, "apply", "x3.json", "--key", "beto.key", *last, "-o", "x4.json")
    assert len(scene.evidence()) == 1
    scene.ends("21-other-content-than-seen")


def test_24_a_key_that_binds_nobody(scene: Scene):
    scene.at("fresh")
    propose = ("new", "crusade", "campaign", "--side", "nationalist", "--key", "ana.key", "-o",
               "n.json", "--opponent")  # fmt: skip
    offer = scene.entries("g0.json")[0]
    for number, public in enumerate((*SMALL, (2**255 - 17).to_bytes(32, "little").hex())):
        scene.desk.write(f"weak{number}.pub", public_line(bytes.fromhex(public), "weak"))
        step = {**offer.steps[0], "pub_b": public}
        scene.lay(f"weak{number}.json",
                  [sign_entry(scene.key("ana"), {**offer.payload, "steps": [step]})])  # fmt: skip
        scene.call(1, *propose, f"weak{number}.pub")
        scene.call(3, "verify", f"weak{number}.json")
    scene.call(1, *propose, "ana.key.pub")
    assert not (scene.desk.folder / "n.json").exists()
    scene.ends("24-weak-keys")


def test_25_a_proposal_to_somebody_else(scene: Scene):
    scene.at("eve")
    scene.call(1, "apply", "g0.json", "--key", "eve.key", "-o", "x1.json")
    accept = scene.entries("g1.json")[1]
    step = {**accept.steps[0], "pub": scene.key("eve").public.hex()}
    taken = sign_entry(scene.key("eve"), {**accept.payload, "steps": [step]})
    scene.lay("x1.json", [scene.entries("g0.json")[0], taken])
    scene.call(3, "apply", "x1.json", "--key", "ana.key", "-o", "x2.json")
    scene.ends("25-accepted-by-another-key")


def test_26_a_changed_key_of_a_contact(scene: Scene):
    scene.at("fresh")
    propose = ("new", "crusade", "campaign", "--side", "nationalist", "--key", "ana.key")
    scene.quietly(*propose, "--opponent", "beto.key.pub", "-o", "n.json")
    scene.desk.write("new.pub", public_line(scene.key("eve").public, "beto"))
    scene.call(1, *propose, "--opponent", "new.pub", "-o", "m.json")
    scene.call(0, "contacts", "forget", "beto")
    scene.ends("26-key-differs-from-the-contact")


def test_66_the_same_beacon_asked_for_twice(scene: Scene):
    other_orders(
        scene, "play: {card: N1, for: event}", "activate: {attack: [huelva]}",
        "attack: {space: riotinto, units: {huelva: [CAV-7]}, losses: [CAV], advance: none}", "done",
    )  # fmt: skip
    scene.call(3, "apply", "x3.json", "--key", "beto.key", "-o", "x4.json")
    (proof,) = scene.evidence()
    scene.call(0, "prove-fork", proof)
    scene.ends("66-one-beacon-for-two-locks")


def test_75_two_mails_that_crossed(scene: Scene):
    scene.at("crossing")
    scene.desk.write("words.yaml", "say: Hello?\n")
    scene.quietly("apply", "g2.json", "words.yaml", "--key", "beto.key", "-o", "s3.json")
    scene.call(1, "prove-fork", "s3.json", "g3.json")
    scene.quietly("apply", "g3.json", "--key", "beto.key", "-o", "s4.json")
    assert (scene.desk.folder / "s4.json").read_bytes() == (
        scene.desk.folder / "g4.json").read_bytes()  # fmt: skip
    scene.ends("75-crossed-mails")


def test_76_a_refused_entry_and_its_correction(scene: Scene):
    wrong = {"do": "orders", "list": [{"play": {"card": "R1", "for": "event"}}]}
    scene.lay("x3.json", forged(scene, "g2.json", "ana", [wrong]))
    scene.call(3, "verify", "x3.json")
    scene.call(1, "prove-fork", "x3.json", "g4.json")
    scene.call(1, "prove-fork", "g4.json", "x3.json", "-o", "proof.json")
    assert not (scene.desk.folder / "proof.json").exists()
    scene.ends("76-refused-and-corrected")


def test_77_a_second_accept(scene: Scene):
    scene.at("third")
    scene.quietly("apply", "g0.json", "--key", "beto.key", "-o", "x1.json")
    scene.at("ana")
    scene.call(3, "apply", "x1.json", "--key", "ana.key", "-o", "x2.json")
    (proof,) = scene.evidence()
    scene.call(0, "prove-fork", "g4.json", "x1.json", "-o", "proof.json")
    (ours, theirs) = (json.loads((scene.desk.folder / name).read_text())
                      for name in (proof, "proof.json"))  # fmt: skip
    assert ours == theirs and ours["game"] is None and ours["by"] == "B"
    scene.ends("77-second-accept")


def test_no_golden_text_is_left_over():
    cases = {name.split("_")[1] for name in globals() if re.match(r"test_\d", name)}
    texts = {path.name.split("-")[0] for path in GOLDEN.glob("*.txt")}
    assert cases <= texts


# --- the proof ----------------------------------------------------------------------------------


@pytest.fixture
def forked(scene: Scene) -> Scene:
    """Beto has been sent a second entry 3, x3."""
    other_orders(scene, "play: {card: N1, for: event}")
    return scene


NO_PROOF = (
    "x3.json: entry 3: player A has signed two different entries 3\n      hint: answer neither; "
    "'pbem prove-fork' makes a proof of this file and your file that goes up to entry 3\n"
)
APPLY = ("apply", "x3.json", "--key", "beto.key", "-o", "x4.json")


def test_a_proof_is_written_once_and_stays(forked: Scene):
    for _ in range(2):
        assert "the proof is in fork_" in forked.desk.pbem(*APPLY).err
    (name,) = forked.evidence()
    first, second = fork.stories((forked.desk.folder / name).read_bytes())
    assert len(first) == len(second) == 4 and first[:3] == second[:3]
    assert first[3].payload["prev"] == second[3].payload["prev"] == first[2].id
    assert name == f"fork_{first[0].id[:8]}-003-a_{first[3].id[:8]}_{second[3].id[:8]}.json"


def test_a_proof_lies_beside_the_game(forked: Scene):
    folder = forked.desk.folder / "mail"
    folder.mkdir()
    (forked.desk.folder / "x3.json").rename(folder / "x3.json")
    err = forked.desk.pbem("apply", "mail/x3.json", *APPLY[2:]).err
    assert "the proof is in mail/fork_" in err
    assert len(list(folder.glob("fork_*.json"))) == 1


def test_a_folder_that_takes_no_proof_does_not_hide_the_fork(
    forked: Scene, monkeypatch: pytest.MonkeyPatch
):
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pbem.cli.files.os.replace", full)
    err = forked.desk.refused(3, *APPLY)
    assert err == NO_PROOF


def test_what_signs_nothing_writes_no_proof(forked: Scene):
    for words in (("status", "x3.json"), ("form", "x3.json")):
        before = forked.desk.files()
        result = forked.desk.pbem(*words, "--key", "beto.key")
        assert "x3.json: warning: entry 3: player A has signed two different" in result.err
        assert forked.desk.files() == before


def test_nobody_is_given_a_proof_against_themselves(forked: Scene):
    forked.at("ana")
    err = forked.desk.refused(3, "apply", "x3.json", "--key", "ana.key", "-o", "x4.json")
    assert err == NO_PROOF


def test_a_fork_that_lies_further_back_needs_the_old_file(forked: Scene):
    """The record goes back to the opponent's last main entry; --last to the beginning."""
    record = next((forked.desk.folder / ".home" / "beto").rglob("*-B.json"))
    seen = json.loads(record.read_text())
    record.write_text(json.dumps({**seen, "tail": seen["tail"][-1:]}))
    assert forked.desk.refused(3, *APPLY) == NO_PROOF
    err = forked.desk.pbem(*APPLY, "--last", "g4.json").err
    assert "player A has signed two different entries 3" in err and len(forked.evidence()) == 1


# --- prove-fork ---------------------------------------------------------------------------------


def test_prove_fork_writes_what_others_can_check(forked: Scene):
    told = forked.desk.done("prove-fork", "g4.json", "x3.json", "-o", "proof.json")
    assert told.endswith("written: proof.json\n")
    assert forked.desk.done("prove-fork", "proof.json") + "written: proof.json\n" == told
    for words in (("proof.json", "g4.json"), ("x3.json", "proof.json")):
        assert "proven: player A" in forked.desk.done("prove-fork", *words)
    found = json.loads(forked.desk.done("prove-fork", "proof.json", "--json"))
    assert found["by"] == "A" and found["seq"] == 3 and len(found["lines"]) == 2
    assert found["proven"] == ["A"]
    assert found["key"] == forked.key("ana").public.hex()


@pytest.mark.parametrize("words, said", [
    (("g3.json", "g3.json"), "no fork: the two files tell the same story\n"),
    (("g1.json", "g4.json"),
     "no fork: file 1 is the beginning of file 2, which continues after entry 1\n"),
    (("g4.json", "g1.json"),
     "no fork: file 2 is the beginning of file 1, which continues after entry 1\n"),
    (("g4.json", "solo.json"), "no fork: the two files are not of the same game\n"),
])  # fmt: skip
def test_no_fork(desk: Desk, words: tuple[str, str], said: str):
    assert desk.refused(1, "prove-fork", *words) == said
    (problem,) = desk.pbem("prove-fork", *words, "--json").problems()
    assert problem["code"] == "no-fork"


def test_prove_fork_with_one_game_file(desk: Desk):
    err = desk.refused(2, "prove-fork", "g4.json")
    assert "name two files to compare, or one file that is a proof" in err


def edited(scene: Scene, game: str, change: Callable[[str], str]) -> None:
    path = scene.desk.folder / game
    path.write_text(change(path.read_text()))


def test_prove_fork_with_files_that_are_none(forked: Scene):
    desk = forked.desk
    desk.write("bad.json", "Hello\n")
    assert desk.refused(3, "prove-fork", "bad.json", "g4.json").startswith("bad.json: line 1")
    assert desk.refused(3, "prove-fork", "g4.json", "bad.json").startswith("bad.json: line 1")
    assert "cannot be read" in desk.refused(2, "prove-fork", "g4.json", "none.json")
    desk.done("prove-fork", "g4.json", "x3.json", "-o", "proof.json")
    edited(forked, "proof.json", lambda text: text.replace('\n "seq": 3', '\n "seq": 2'))
    err = desk.refused(3, "prove-fork", "proof.json")
    assert err.startswith("proof.json: this is not the evidence of a fork: ")


def test_an_altered_entry_is_no_proof(forked: Scene):
    edited(forked, "x3.json", lambda text: text.replace('"tool": "pbem', '"tool": "pbme'))
    err = forked.desk.refused(1, "prove-fork", "g4.json", "x3.json")
    assert "no fork: entry 0 of file 2 is not valid there (E-DAMAGED: " in err
    edited(forked, "g4.json", lambda text: text.replace('"tool": "pbem', '"tool": "pbme'))
    err = forked.desk.refused(3, "prove-fork", "g4.json", "x3.json")
    assert err.startswith("g4.json: entry 0: does not match its own checksum")


# --- what lies in the folder of the one who is told -------------------------------------------


@pytest.fixture
def crossed(scene: Scene) -> Scene:
    """Ana's folder: her entry 3, and Beto's note 3 that crossed it, as it came."""
    scene.at("crossing")
    scene.desk.write("words.yaml", "say: Hello?\n")
    scene.quietly("apply", "g2.json", "words.yaml", "--key", "beto.key", "-o", "s3.json")
    (scene.desk.folder / "mails").mkdir()
    (scene.desk.folder / "s3.json").rename(scene.desk.folder / "mails" / "s3.json")
    for name in ("g4.json", "solo.json", "x3.json"):
        (scene.desk.folder / name).unlink(missing_ok=True)
    scene.at("ana")
    scene.quietly("init", "--key", "ana.key")
    return scene


def test_a_note_that_crossed_stops_nothing(crossed: Scene):
    desk = crossed.desk
    for command in ("turn", "read"):
        err = desk.refused(3, command, "mails/s3.json")
        assert "two entries 3 crossed, and yours counts" in err
    shutil.copy(desk.folder / "mails" / "s3.json", desk.folder)  # saved by hand
    told = desk.pbem("status", ".")
    assert "prove-fork" not in told.out and told.out.startswith("g3.json\n"), told
    assert "not used, because another entry counts in its place: " in told.out
    for words in (("turn",), ("status",), ("verify",)):
        result = desk.pbem(*words)
        assert result.code == 0 and "diverging" not in result.err, result
    crossed.at("ana2")  # without any record, the rules say the same
    assert desk.pbem("turn").code == 0


@pytest.mark.parametrize("machine", ["ana", "ana2"])
@pytest.mark.parametrize("kept", ["mbox", "folder"])
def test_a_mailbox_with_crossed_mails(crossed: Scene, machine: str, kept: str):
    """With a record or without: what counts is taken, what crossed is told and not written."""
    desk = crossed.desk
    crossed.at("beto")
    crossed.quietly("apply", "g3.json", "--key", "beto.key", "-o", "mails/n4.json")
    mails = []
    for name in ("s3.json", "n4.json", "s3.json"):
        mail = EmailMessage()
        mail["From"], mail["Date"], mail["Subject"] = "b@example.org", "x", "[pbem]"
        mail.add_attachment((desk.folder / "mails" / name).read_bytes(), maintype="application",
                            subtype="json", filename=name)  # fmt: skip
        mails.append(mail.as_bytes())
    for name in ("s3.json", "n4.json"):
        (desk.folder / "mails" / name).unlink()
    box = desk.folder / "mails"
    for at, raw in enumerate(mails):
        if kept == "mbox":
            with (box / "box").open("ab") as file:
                file.write(b"From b@example.org\n" + raw + b"\n")
        else:
            (box / str(at)).write_bytes(raw)
    crossed.at(machine)
    given = "mails/box" if kept == "mbox" else "mails"
    for _ in range(2):
        assert desk.pbem("turn", given).code == 0
        (written,) = [name for name in desk.files() if name.endswith(".pbem.json")]
        assert desk.done("status", ".").startswith(f"{written}\n")
        assert len(crossed.entries(written)) == 5


@pytest.mark.parametrize("command", ["turn", "read"])
@pytest.mark.parametrize("machine", ["beto", "beto2"])
def test_a_mail_with_another_story_leaves_a_proof_and_no_game(
    forked: Scene, command: str, machine: str
):
    """The folder goes on with the story that was seen; the proof stands in no way of it."""
    desk = forked.desk
    (desk.folder / "mails").mkdir()
    (desk.folder / "x3.json").rename(desk.folder / "mails" / "x3.json")
    (desk.folder / "solo.json").unlink()
    forked.at(machine)
    forked.quietly("init", "--key", "beto.key")
    result = desk.pbem(command, "mails/x3.json")
    assert result.code != 0 and "player A has signed two different entries 3" in result.err
    assert not [name for name in desk.files() if name.endswith(".pbem.json")]
    assert len(forked.evidence()) == 1 and forked.evidence()[0] in result.err
    assert desk.done("status", ".").startswith("g4.json\n")
    assert desk.pbem("turn").code == 0


def test_a_longer_story_of_notes_is_not_the_newest(crossed: Scene):
    desk = crossed.desk
    desk.write("more.yaml", f"say: {'x y ' * 500}\n")
    crossed.at("wordy")
    crossed.quietly("apply", "g2.json", "more.yaml", "--key", "beto.key", "-o", "long3.json")
    crossed.at("ana")
    (game,) = folder.listing(desk.folder).games
    assert game.newest == "long3.json"  # as far as its size says
    assert desk.done("status", ".").startswith("g3.json\n")
    assert desk.pbem("turn").code == 0


def test_a_block_continues_the_one_that_counts(crossed: Scene):
    desk = crossed.desk
    crossed.at("beto")
    crossed.quietly("apply", "g3.json", "--key", "beto.key", "-o", "n4.json")
    mailed = desk.pbem("mail", "n4.json", "--armor", "-o", "-").out
    block = re.search("-----BEGIN PBEM.*?-----END PBEM[^\n]*\n", mailed, re.DOTALL)
    assert block is not None
    desk.write("p.txt", block[0])
    (desk.folder / "n4.json").unlink()
    (desk.folder / "mails" / "s3.json").rename(desk.folder / "s3.json")
    crossed.at("ana")
    assert "added to g3.json" in desk.done("read", "p.txt")
