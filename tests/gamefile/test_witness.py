"""What a player remembers keeps old positions and second stories from them."""

import json

import pytest

from pbem.gamefile import format, witness
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import after, replay
from pbem.gamefile.verify import examine
from tests.gamefile.mini_game import mini_game
from tests.gamefile.players import KEYS, opened, proposed, resigned, write
from tests.gamefile.toy import open_toy

PASS = {"pass": {}}
ATTACK = {"attack": {"force": 4}}
DRAW = {"draw": {}}


def cut(fold, count):
    return replay(fold.entries[:count], open_toy)


def refused(seen, fold) -> FileRefused:
    with pytest.raises(FileRefused) as caught:
        witness.compare(seen, fold)
    return caught.value


def refused_files(last, fold) -> FileRefused:
    with pytest.raises(FileRefused) as caught:
        witness.compare_files(last, fold)
    return caught.value


def test_the_same_and_a_longer_file_pass():
    game = mini_game()
    for count in range(1, 12):
        seen = witness.record(cut(game, count), "A")
        for longer in (count, 12):
            witness.compare(seen, cut(game, longer))
            witness.compare_files(cut(game, count), cut(game, longer))


def test_without_a_key_no_value_was_shown_and_none_is_asked_for_twice():
    seen = witness.record(opened(), None)
    assert (seen["player"], seen["revealed_n"], seen["lock_id"]) == (None, 0, None)
    assert witness.compare(seen, write(opened(), "A", DRAW)) is None


def test_an_older_file_is_a_rollback():
    game = mini_game()
    for player in ("A", "B", None):
        problem = refused(witness.record(game, player), cut(game, 9))
        assert (problem.code, problem.entry, problem.whose) == ("E-ROLLBACK", 11, None)
    assert refused_files(game, cut(game, 9)).code == "E-ROLLBACK"


def test_another_entry_of_the_same_author_is_a_fork():
    """Case 19 and 21: the opponent rewrote their last entry, which we had already seen."""
    fold = opened()
    one, two = write(fold, "A", PASS), write(fold, "A", DRAW)
    problem = refused(witness.record(one, "B"), two)
    assert problem.code == "E-FORK" and problem.entry == 4 and problem.whose == "A"
    assert refused_files(one, two).code == "E-FORK"
    longer = write(write(fold, "A", DRAW), "B")
    assert refused(witness.record(one, "B"), longer).code == "E-FORK"


def test_a_story_that_parted_earlier_is_a_fork():
    fold = opened()
    one = write(write(fold, "A", PASS), "B", PASS)
    two = write(write(fold, "A", DRAW), "B")
    assert refused(witness.record(one, "A"), two).code == "E-FORK"
    assert refused_files(one, two).entry == 4


def test_a_second_accept_of_one_proposal_is_a_fork():
    offer = proposed()
    one = write(offer, "B")
    again = after(offer, resigned(one.entries[1], tool="pbem other"))
    assert witness.name(one) == witness.name(again)
    assert refused(witness.record(one, "A"), again).code == "E-FORK"


def test_a_value_is_not_given_for_a_second_lock():
    """Case 66: the same beacon asked for twice."""
    fold = opened()
    one = write(write(fold, "A", DRAW), "B")
    two = write(fold, "A", ATTACK)
    two = write(two, "B", {"card": {"use": None}})
    three = write(fold, "A", {"draw": {}}, PASS)
    seen = witness.record(one, "B")
    assert seen["revealed_n"] == 2 and seen["lock_id"] == one.entries[4].id
    assert refused(seen, three).code == "E-FORK"
    assert refused(witness.record(one, "A"), three).code == "E-FORK"
    second_net = {**seen, "trail": witness.record(fold, "B")["trail"]}
    assert refused(second_net, three).code == "E-DOUBLE"
    assert witness.compare(second_net, write(fold, "A", DRAW)) is None, "the lock it was given for"
    assert two.locked == 2


def test_crossing_mails_are_no_fork():
    """Case 75: the entry of the player on turn stands where the other's side entry stood."""
    fold = opened()
    side, turn = write(fold, "B", say=("Hello?",)), write(fold, "A", PASS)
    witness.compare(witness.record(side, "B"), turn)
    witness.compare_files(side, turn)
    assert refused(witness.record(turn, "A"), side).code == "E-ROLLBACK"
    assert refused_files(turn, side).code == "E-ROLLBACK"


def test_files_of_two_games_are_not_compared():
    assert refused_files(opened(), proposed(nonce=b"\x44" * 16)).code == "E-GAME"


def test_verify_takes_a_record_and_a_last_file():
    game = mini_game()
    raw = format.write(game.entries[:9])
    assert examine(raw, open_toy).is_good
    seen = witness.record(game, "A")
    for extra in ({"seen": seen}, {"last": game}):
        (finding,) = examine(raw, open_toy, **extra).findings
        assert finding.problem.code == "E-ROLLBACK"


def test_a_second_entry_is_noticed_although_it_was_answered():
    """Case 19: the record ends with one's own answer, the other rewrites what stands before it."""
    fold = opened()
    answered = write(write(fold, "A", DRAW), "B")
    again = write(fold, "A", PASS)
    seen = witness.record(answered, "B")
    assert [entry["payload"]["seq"] for entry in seen["tail"]] == [4, 5]
    problem = refused(seen, again)
    assert problem.code == "E-FORK" and problem.entry == 4 and problem.whose == "A"
    assert witness.story(seen, again) == answered.entries
    assert refused({**seen, "tail": []}, again).code == "E-FORK"


def test_a_record_goes_back_to_the_other_player_and_not_for_ever():
    """To their last main entry, with the notes in front of it, for a fork takes both to prove."""
    fold = opened()

    def kept(fold, player):
        return [one["payload"]["seq"] for one in witness.record(fold, player)["tail"]]

    assert kept(fold, "A") == [3] and kept(fold, "B") == [2, 3]
    assert len(witness.record(proposed(), "A")["tail"]) == 1
    note = write(fold, "B", say=("Hello?",))
    assert kept(note, "A") == [3, 4] and kept(note, "B") == [2, 3, 4]
    answered = write(note, "A", PASS)
    assert kept(answered, "B") == [4, 5] and kept(write(answered, "B", PASS), "B") == [4, 5, 6]
    for _ in range(witness.TAIL + 2):
        fold = write(write(fold, "B", offer={"what": "adjourn"}), "A", answer=True)
    assert len(kept(fold, "A")) == witness.TAIL


@pytest.mark.parametrize("tail", [
    "x", [1], [{}], [{"payload": 1, "sig": "x", "sum": "0" * 8}],
    [{"payload": {"seq": 1}, "sig": "x", "sum": "0" * 8}],
])  # fmt: skip
def test_a_damaged_tail_is_as_good_as_none(tail):
    game = mini_game()
    seen = {**witness.record(game, "A"), "tail": tail}
    assert witness.story(seen, game) == ()
    witness.compare(seen, game)
    assert refused(seen, cut(game, 9)).code == "E-ROLLBACK"


@pytest.mark.parametrize("trail", [None, 1, [1], [""], ["C" + "0" * 32], "A"])
def test_a_record_without_a_trail_is_none(trail):
    seen = {**witness.record(mini_game(), "A"), "trail": trail}
    assert not witness.is_record(seen)
    del seen["trail"]
    assert not witness.is_record(seen)


def test_a_begun_game_is_unfinished_until_it_ends():
    begun = opened()
    for fold, unfinished in (
        (proposed(), False), (write(proposed(), "B"), False), (begun, True),
        (write(begun, "B", resign=True), False),
    ):  # fmt: skip
        seen = witness.record(fold, "A")
        assert witness.is_unfinished(seen, KEYS["B"].public) is unfinished
        assert not witness.is_unfinished(seen, KEYS["A"].public)


def test_a_record_holds_no_secret():
    seen = witness.record(mini_game(), "A")
    assert set(seen) == {
        "seq", "id", "prev", "by", "side", "player", "revealed_n", "lock_id", "trail", "tail",
        "opponent", "phase", "game", "match", "what",
    }  # fmt: skip
    assert witness.is_record(seen) and witness.is_record(json.loads(json.dumps(seen)))
    assert KEYS["A"].seed.hex() not in str(seen)
