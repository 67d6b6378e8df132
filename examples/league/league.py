"""Verifies all games of a season on the workers of a Dask cluster, and can be stopped and resumed.

    python league.py FOLDER RESULTS.jsonl [--scheduler tcp://HOST:8786] [--workers 2]

FOLDER is any place that fsspec knows: a folder, s3://season, gs://season. Each game becomes a line
of JSON in RESULTS.jsonl as soon as it is judged. Started again, the program goes on with what is
not there yet, or has changed. It leaves with 3 where a game does not verify, and with 2 where
nothing can be judged: wrong words, no scheduler, or one that is gone.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import queue
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import CancelledError
from functools import partial
from itertools import islice
from typing import Any

import fsspec
from distributed import Client, Future, KilledWorker, LocalCluster

from pbem.gamefile.verify import doubts
from pbem.play.season import judge
from pbem.render.safe import visible

MOST_BYTES = 32 << 20
AHEAD = 4
"""How many tasks wait for each worker: none idles, and the scheduler holds few."""
AT_ONCE, TOGETHER = 8, 1 << 20
"""How many games a task has at most, and of how many bytes together."""
LOST = {"state": "lost", "why": "every worker that judged it was ended"}
BEAT, ANSWERS = 0.4, 1.2
"""Seconds between two looks at the cluster, and how long it may take to answer: a scheduler that is
gone is told within two seconds.
"""
EVERY = 5.0
"""Seconds between two lines of progress."""

Outcome = dict[str, Any]
Task = Callable[[str], Outcome]


def judged(url: str) -> dict[str, Any]:
    """What one game is worth. Runs on a worker, and never raises for what is in the file."""
    if "::" in url:  # which fsspec reads as two addresses, and opens another file
        return {"state": "unread", "why": "a name must not contain '::'"}
    try:
        with fsspec.open(url, "rb") as file:
            raw = file.read(MOST_BYTES + 1)
    except OSError as error:
        return {"state": "unread", "why": str(error)}
    if len(raw) > MOST_BYTES:
        return {"state": "unread", "why": f"more than {MOST_BYTES:,} bytes"}
    return judge(url, raw).plain()


def season(folder: str) -> dict[str, tuple[str, int]]:
    """The addresses of all files of a folder, each with a mark that changes when the file does, and
    its size.
    """
    system, root = fsspec.url_to_fs(folder)
    found = system.find(root, detail=True)
    return {
        system.unstrip_protocol(path): (_mark(about), about["size"] or 0)
        for path, about in sorted(found.items())
    }


def _mark(about: dict[str, Any]) -> str:
    # Whoever sends a file can choose its size and its time, but not when it came here.
    written = about.get("ETag", f"{about.get('mtime')}/{about.get('created')}")
    return f"{about['size']}/{written}"


def known(results: str) -> dict[tuple[str, str], str]:
    """What an earlier run has written: the state of each file and mark.

    A line that was cut off when the run was killed is left out, and judged again.
    """
    found = {}
    if os.path.exists(results):
        with open(results, encoding="utf-8") as lines:
            for line in lines:
                try:
                    each = json.loads(line)
                    found[each["file"], each["mark"]] = each["state"]
                except (ValueError, KeyError, TypeError):
                    continue
    return found


class SchedulerGone(Exception):
    """The scheduler does not answer any more: what is written stays, the rest is left."""


class Pulse:
    """Looks at the cluster again and again: how many workers it has now, and whether it lives."""

    def __init__(self, client: Client) -> None:
        self._client, self._next, self.workers = client, 0.0, 1

    def feel(self) -> None:
        """Counts the workers, at most every BEAT seconds. Raises SchedulerGone."""
        if time.monotonic() < self._next:
            return
        try:
            if self._client.status != "running":
                raise OSError(self._client.status)
            self.workers = len(self._client.sync(self._threads))
        except (OSError, TimeoutError) as error:
            raise SchedulerGone(str(error)) from None
        self._next = time.monotonic() + BEAT

    async def _threads(self) -> dict[str, int]:
        asked = self._client.scheduler.ncores()
        found: dict[str, int] = await asyncio.wait_for(asked, ANSWERS)
        return found


def judged_all(task: Task, urls: list[str]) -> list[Outcome]:
    """What several games are worth, in one task: handing out many takes as long as one."""
    return [task(url) for url in urls]


def together(urls: Iterable[str], sizes: Mapping[str, int]) -> Iterator[list[str]]:
    """Files that are judged in one task: a few small ones, or a large one alone."""
    batch: list[str] = []
    size = 0
    for url in urls:
        if batch and (len(batch) == AT_ONCE or size + sizes.get(url, 0) > TOGETHER):
            yield batch
            batch, size = [], 0
        batch.append(url)
        size += sizes.get(url, 0)
    if batch:
        yield batch


def audit(
    client: Client, urls: list[str], task: Task = judged, sizes: Mapping[str, int] | None = None
) -> Iterator[tuple[str, Outcome]]:
    """Judges files on the cluster; yields each when it is done, in any order.

    Work follows the workers: whoever joins gets some, at once. A worker that dies is replaced.
    Games that were on workers as they died are tried once more at the end, one at a time; the one
    that ends its worker even then is told as lost. Raises SchedulerGone.
    """
    batches, pulse = together(urls, sizes or {}), Pulse(client)
    running: dict[str, tuple[Future, list[str]]] = {}
    done: queue.SimpleQueue[Future] = queue.SimpleQueue()
    suspects: list[str] = []

    all_of = partial(judged_all, task)

    def send(batch: list[str]) -> None:
        future = client.submit(all_of, batch, pure=False)
        running[future.key] = future, batch
        future.add_done_callback(done.put)

    def outcomes() -> Iterator[tuple[str, Outcome | None]]:
        """Of what is done next; nothing if that takes longer than a beat."""
        try:
            future = done.get(timeout=BEAT)
        except queue.Empty:
            return
        _, batch = running[future.key]
        try:
            found = _outcome(future, len(batch))
        except TimeoutError:
            done.put(future)  # it is on its way, or the next look finds no scheduler
            return
        del running[future.key]
        yield from zip(batch, found, strict=True)

    while True:
        pulse.feel()
        for batch in islice(batches, max(0, AHEAD * max(1, pulse.workers) - len(running))):
            send(batch)
        if not running:
            break
        for url, outcome in outcomes():
            if outcome is None:
                suspects.append(url)
            else:
                yield url, outcome
    for url in suspects:
        send([url])
        while running:
            pulse.feel()
            for _, alone in outcomes():
                yield (
                    url,
                    alone or {"state": "lost", "why": "every worker that judged it was ended"},
                )


def _outcome(future: Future, count: int) -> list[Outcome | None]:
    """What a task found; None for each file if its workers died. A fault of ours is told, not
    raised.
    """
    try:
        return list(future.result(timeout=ANSWERS))
    except TimeoutError:
        raise
    except KilledWorker:
        return [None] * count
    except CancelledError as error:  # what becomes of all tasks of a scheduler that is gone
        raise SchedulerGone(str(error)) from None
    except Exception as fault:
        return [{"state": "lost", "why": f"{type(fault).__name__}: {fault}"[:300]}] * count


def run(client: Client, folder: str, results: str) -> int:
    """Judges what is not in the results yet, and appends to them. Returns the exit code."""
    found, before = season(folder), known(results)
    marks = {url: mark for url, (mark, _) in found.items()}
    sizes = {url: size for url, (_, size) in found.items()}
    states = [before[each] for each in marks.items() if each in before]
    urls = [url for url, mark in marks.items() if (url, mark) not in before]
    urls.sort(key=sizes.__getitem__, reverse=True)  # then no worker ends with a long one alone
    print(f"{len(marks)} files, {len(states)} of them judged before", flush=True)
    begun = told = time.monotonic()
    with open(results, "a+", encoding="utf-8") as out:
        _end_line(out)
        for count, (url, outcome) in enumerate(audit(client, urls, sizes=sizes), 1):
            line = {**outcome, "file": url, "mark": marks[url]}
            out.write(json.dumps(line) + "\n")
            out.flush()
            states.append(outcome["state"])
            if outcome["state"] != "good":
                # Whoever sent the file has named it.
                print(visible(f"{url}: {outcome['state']}: {_why(outcome)}"), flush=True)
            for each in doubts(outcome["proven"]) if "proven" in outcome else ():
                print(visible(f"{url}: {each}"), flush=True)
            if time.monotonic() - told > EVERY or count == len(urls):
                told = time.monotonic()
                print(_progress(count, len(urls), told - begun), flush=True)
    bad = sum(state != "good" for state in states)
    print(f"{len(states)} judged, {bad} not good; see {results}")
    return 3 if bad else 0


def _end_line(out: Any) -> None:
    """Ends the line that a killed run left half written."""
    end = out.seek(0, os.SEEK_END)
    if end:
        out.seek(end - 1)
        if out.read(1) != "\n":
            out.write("\n")


def _why(outcome: dict[str, Any]) -> str:
    problems = outcome.get("problems")
    return problems[0]["message"] if problems else outcome.get("why", "")


def _progress(done: int, of: int, seconds: float) -> str:
    pace = done / max(seconds, 0.001)
    return f"{done} of {of}: {pace:.0f} games a second, {(of - done) / pace:.0f} s to go"


def main() -> int:
    """Reads the words of the command line and runs the season on a cluster, here or elsewhere."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("results")
    parser.add_argument("--scheduler", help="address of a running cluster; by default one here")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    words = parser.parse_args()
    if words.workers < 1:
        parser.error("--workers is 1 or more")
    try:
        system, root = fsspec.url_to_fs(words.folder)
    except (ImportError, ValueError) as error:  # no such protocol, or its driver is missing
        parser.error(f"{words.folder!a}: {error}")
    if not system.isdir(root):
        parser.error(f"there is no folder {words.folder!a}")
    try:
        open(words.results, "a", encoding="utf-8").close()
    except OSError as error:
        parser.error(f"{words.results!a} cannot be written: {error.strerror}")
    if words.scheduler:
        try:
            client = Client(words.scheduler)
        except (OSError, ValueError) as error:
            parser.error(f"no scheduler answers at {words.scheduler!a}: {error}")
        try:
            return run(client, words.folder, words.results)
        except SchedulerGone:
            told = f"the scheduler at {words.scheduler!a} is gone; what was judged is in"
            print(f"{told} {words.results}: start again to go on", file=sys.stderr, flush=True)
            os._exit(2)  # a client that has lost its scheduler would wait for it
        finally:
            client.close()
    with (
        LocalCluster(
            n_workers=words.workers, threads_per_worker=1, dashboard_address=None
        ) as cluster,
        Client(cluster) as client,
    ):
        return run(client, words.folder, words.results)


if __name__ == "__main__":
    sys.exit(main())
