"""The league example: each game judged once, a lost worker replaced, a stopped run gone on with."""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.cli.conftest import played_today as played_today
from tests.pace import slowness

HOME = Path(__file__).resolve().parents[2] / "examples" / "league"


def program() -> ModuleType:
    spec = importlib.util.spec_from_file_location("league", HOME / "league.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def killed_by(league: ModuleType) -> Any:
    def task(url: str) -> dict[str, Any]:
        if "killer" in url:
            os._exit(1)
        found: dict[str, Any] = league.judged(url)
        return found

    return task


def test_a_season_is_judged_on_a_cluster(played_today: Path, tmp_path: Path, monkeypatch):
    from distributed import Client, LocalCluster  # it takes half a second

    league = program()
    folder, results = tmp_path / "season", tmp_path / "results.jsonl"
    folder.mkdir()
    for name in ("g2.json", "g4.json", "solo.json"):
        shutil.copy(played_today / name, folder)
    (folder / "edited.json").write_text(
        (played_today / "g3.json").read_text().replace("attack", "assault")
    )

    def states() -> dict[str, str]:
        found = league.known(str(results))
        return {os.path.basename(url): state for (url, _), state in found.items()}

    with (
        LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        assert league.run(client, str(folder), str(results)) == 3
        assert states() == {
            "g2.json": "good", "g4.json": "good", "solo.json": "good", "edited.json": "bad",
        }  # fmt: skip
        before = results.read_text()
        with results.open("a") as out:
            out.write('{"file": "cut of')
        (folder / "edited.json").unlink()
        (folder / "gone.json").symlink_to(folder / "nowhere")
        assert league.run(client, str(folder), str(results)) == 3
        assert results.read_text().startswith(before) and states()["gone.json"] == "unread"

        cluster.scheduler.allowed_failures = 0
        urls = [f"file://{folder}/{name}" for name in ("killer.json", "g2.json")]
        told = dict(league.audit(client, urls, killed_by(league)))
        assert [told[url]["state"] for url in urls] == ["lost", "good"]


@pytest.mark.parametrize("words", [[], ["season"], ["season", "out", "--workers", "many"]])
def test_wrong_words_are_answered_with_the_usage(words, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["league.py", *words])
    with pytest.raises(SystemExit) as left:
        program().main()
    assert left.value.code == 2 and "usage: league.py" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["none", "out"], "there is no folder 'none'"),
        ([".", "none/out"], "'none/out' cannot be written: No such file or directory"),
        (["nowhere://season", "out"], "Protocol not known: nowhere"),
        ([".", "out", "--workers", "0"], "--workers is 1 or more"),
    ],
)
def test_what_cannot_work_is_told_before_a_cluster_is_started(
    words, why, monkeypatch, capsys, tmp_path: Path
):
    """A season that is not there is no season without faults."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["league.py", *words])
    with pytest.raises(SystemExit) as left:
        program().main()
    assert left.value.code == 2 and why in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nonsense://a"])
def test_a_scheduler_that_does_not_answer_is_named(address, monkeypatch, capsys, tmp_path: Path):
    import dask

    words = [str(tmp_path), str(tmp_path / "out"), "--scheduler", address]
    monkeypatch.setattr("sys.argv", ["league.py", *words])
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "100ms"}),
        pytest.raises(SystemExit) as left,
    ):
        program().main()
    told = capsys.readouterr().err
    assert left.value.code == 2 and f"no scheduler answers at '{address}'" in told


def test_a_name_is_never_read_as_an_address(
    played_today: Path, tmp_path: Path, monkeypatch, capsys
):
    """A file takes no other file's verdict by its name, nor moves the cursor with it."""
    league, folder = program(), tmp_path / "season"
    folder.mkdir()
    shutil.copy(played_today / "g2.json", folder / "good.json")
    names = ("good.json::mine.json", "\x1b[2J.json", os.fsdecode(b"\xff.json"))
    for name in names:
        (folder / name).write_bytes(b"{}")
    monkeypatch.setattr(
        league, "audit", lambda client, urls, sizes: ((url, league.judged(url)) for url in urls)
    )
    results = tmp_path / "results.jsonl"
    assert league.run(None, str(folder), str(results)) == 3
    known = league.known(str(results))
    found = {url.rpartition("/")[2]: state for (url, _), state in known.items()}
    assert found == {"good.json": "good", names[0]: "unread", names[1]: "bad", names[2]: "bad"}
    told = capsys.readouterr().out
    assert told.replace("\n", "").isprintable() and "'::'" in told


def test_a_file_of_the_same_size_and_time_is_another_one(played_today: Path, tmp_path: Path):
    league, path = program(), tmp_path / "game.json"
    shutil.copy(played_today / "g2.json", path)
    (before,) = league.season(str(tmp_path)).values()
    about, raw = path.stat(), path.read_bytes()
    time.sleep(0.05)
    path.write_bytes(raw[::-1])
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))
    (behind,) = league.season(str(tmp_path)).values()
    assert behind != before and path.stat().st_mtime_ns == about.st_mtime_ns


def where(url: str) -> dict[str, Any]:
    """A game that takes a while, and the worker that judged it."""
    from distributed import get_worker

    time.sleep(0.05)
    return {"state": "good", "worker": get_worker().address}


def test_work_follows_the_workers(monkeypatch):
    """Whoever joins while a season is judged gets work at once."""
    from distributed import Client, LocalCluster

    league = program()
    monkeypatch.setattr(league, "BEAT", 0.1)
    monkeypatch.setattr(league, "AT_ONCE", 1)
    judged: Counter[str] = Counter()
    with (
        LocalCluster(
            n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
        ) as cluster,
        Client(cluster) as client,
    ):
        season = [f"game {at}" for at in range(4000)]
        for count, (_, outcome) in enumerate(league.audit(client, season, where)):
            judged[outcome["worker"]] += 1
            if count == 10:
                assert len(judged) == 1
                cluster.scale(8)
            if sum(games >= 5 for games in judged.values()) >= 8:
                break
        else:
            raise AssertionError(judged)


def good(_url: str) -> dict[str, Any]:
    return {"state": "good"}


def test_the_share_of_the_cluster_is_small(monkeypatch):
    """20 ms of the processor for each file: scheduler, worker and client in one process, which
    judge nothing. Files that are handed out one by one take six times as long as eight at a time.
    """
    from distributed import Client, LocalCluster

    league = program()
    files = [f"game {at}" for at in range(160)]
    with (
        LocalCluster(
            n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
        ) as cluster,
        Client(cluster) as client,
    ):
        shares = []
        for at_once in (league.AT_ONCE, 1):
            monkeypatch.setattr(league, "AT_ONCE", at_once)
            before = time.process_time()
            assert len(list(league.audit(client, files, good))) == len(files)
            shares.append((time.process_time() - before) / len(files))
    together, alone = shares
    assert together < 0.020 * slowness() and together < alone / 2, shares


SCHEDULER = """
import sys, time
from distributed import LocalCluster
if __name__ == "__main__":
    cluster = LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None,
        protocol="tcp://",
    )
    print(cluster.scheduler_address, flush=True)
    time.sleep(120)
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_a_scheduler_that_is_gone_is_told_at_once(tmp_path: Path, how: int):
    """Killed, or silent as behind a cable that was pulled: two seconds, where nobody else works."""
    folder, results = tmp_path / "season", tmp_path / "results.jsonl"
    folder.mkdir()
    for at in range(3000):
        (folder / f"{at}.json").write_text("{}")
    with subprocess.Popen(
        [sys.executable, "-c", SCHEDULER], stdout=subprocess.PIPE, text=True, cwd=tmp_path,
    ) as cluster:  # fmt: skip
        try:
            assert cluster.stdout is not None
            address = cluster.stdout.readline().strip()
            words = [str(HOME / "league.py"), str(folder), str(results), "--scheduler", address]
            with subprocess.Popen(
                [sys.executable, *words], text=True, stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            ) as season:  # fmt: skip
                try:
                    while not results.exists() or results.stat().st_size < 2000:
                        assert season.poll() is None
                        time.sleep(0.02)
                    cluster.send_signal(how)
                    begun = time.monotonic()
                    told = season.communicate(timeout=60)[1]
                    took = time.monotonic() - begun
                finally:
                    season.kill()
        finally:
            cluster.kill()
    assert f"the scheduler at '{address}' is gone" in told and season.returncode == 2
    league = program()
    assert league.BEAT + league.ANSWERS <= 1.6 and took < 10, took
    assert len(results.read_text().splitlines()) < 3000


def test_small_games_are_handed_out_together_and_large_ones_alone():
    league = program()
    sizes = {f"small {at}": 1000 for at in range(20)} | {"large": 5 << 20, "huge": 9 << 20}
    urls = ["huge", "large", *(url for url in sizes if url.startswith("small"))]
    assert [len(each) for each in league.together(urls, sizes)] == [1, 1, 8, 8, 4]
    assert [url for each in league.together(urls, {}) for url in each] == urls
