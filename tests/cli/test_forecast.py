"""What a round costs in mails, as the commands tell it and as the files then come and go."""

from __future__ import annotations

import pytest

from tests.cli.desk import Desk

ROUND = (
    "play: {card: N1, for: event}",
    "activate: {attack: [sevilla, huelva]}",
    "attack: {space: riotinto, units: {sevilla: [INF, POL], huelva: [CAV]},"
    " losses: [POL, CAV, INF], advance: {units: [INF], to: riotinto}}",
)
AGAIN = (
    "mails: about 3 for this round, of both players, two for each of these:",
    "  whether you attack again (add the attack, or done, after the others)",
)
ANSWERS = {
    "retreat": "retreat: {unit: R-MIL-14, path: [jerez_de_los_caballeros]}",
    "attack": "done",
}


@pytest.mark.parametrize("more, told", [
    ((), AGAIN),
    (("done",), ("mails: one for this round, if all goes as written",)),
])  # fmt: skip
def test_check_and_status_tell_the_mails_that_then_come(
    desk: Desk, more: tuple[str, ...], told: tuple[str, ...]
) -> None:
    """The example's Republicans hold no card for this combat, so dice fall at once."""
    orders = desk.orders(*ROUND, *more)
    checked = desk.done("check", "g2.json", orders, "--key", "ana.key")
    assert checked.endswith("\n".join(["", *told, ""]))
    applied = desk.done("apply", "g2.json", orders, "--key", "ana.key", "-o", "m1.json")
    assert "mails:" not in applied, "too late to mend, and dear for a cold command"
    status = desk.done("status", "m1.json", "--key", "ana.key").splitlines()
    assert [line for line in status if line in told] == list(told)
    assert "mails:" not in desk.done("status", "m1.json", "--key", "beto.key")
    assert mails_of_the_round(desk, "m1.json") == (3 if told is AGAIN else 1)


def mails_of_the_round(desk: Desk, name: str) -> int:
    """Plays on from Ana's first mail; how many there were when Beto may begin their own round."""
    count, wrote = 1, "ana"
    while True:
        pen = {"A": "ana", "B": "beto"}[desk.pbem("status", name, "--json").json()["pen"]]
        wanted = desk.pbem("status", name, "--key", f"{pen}.key", "--json").json()["you"]["asked"]
        verbs = wanted["verbs"] if wanted else []
        if "play" in verbs:
            return count
        count, wrote = count + (pen != wrote), pen
        answer = [desk.orders(ANSWERS[verbs[0]], name=f"{name}.yaml")] if verbs else []
        desk.done("apply", name, *answer, "--key", f"{pen}.key", "-o", f"then-{name}")
        name = f"then-{name}"
