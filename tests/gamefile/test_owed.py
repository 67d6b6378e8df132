"""What is owed is computed again whenever something may have changed it."""

import pytest

from pbem.gamefile.fold import replay
from pbem.gamefile.machine import Machine
from pbem.value import fields
from tests.conftest import FUZZ
from tests.gamefile.random_games import sealed_game_of
from tests.gamefile.renewed_vectors import renewed_game
from tests.gamefile.sealed_game import sealed_game


def test_what_is_owed_is_kept_only_where_it_is_true_still(monkeypatch: pytest.MonkeyPatch) -> None:
    kept, put = [], Machine.put

    def checked(machine, **facts):
        made = put(machine, **facts)
        if "owed" in vars(made):
            kept.append(facts.keys())
            assert made.owed == tuple(made._owed()), facts.keys()
        return made

    monkeypatch.setattr(Machine, "put", checked)
    for game in (sealed_game(), renewed_game(), *map(sealed_game_of, range(4 * FUZZ))):
        replay(game.entries, game.machine.world.open_table)
    assert {"last_id"} in kept and {"quiet"} in kept and {"journal"} in kept


def test_what_is_owed_first_depends_on_who_wrote_last() -> None:
    machine = sealed_game().machine.put(phase="over", audited={})
    first, second = (each.by for each in machine.owed)
    assert machine.put(by=first).pen == second != first == machine.put(by=second).pen


@pytest.mark.parametrize("part", ["terms", "keys", "beacons", "hidden", "pending"])
def test_whatever_may_change_what_is_owed_has_it_computed_again(part: str) -> None:
    machine = sealed_game().machine
    assert machine.owed is machine.put(seq=machine.entry.seq).owed
    for each in fields(getattr(machine, part)):
        changed = machine.put(**{each.name: getattr(getattr(machine, part), each.name)})
        assert "owed" not in vars(changed), each.name
