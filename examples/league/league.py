"""Verifies all games of a season on the workers of a Dask cluster, and can be stopped and resumed.

    python league.py FOLDER RESULTS.jsonl [--scheduler tcp://HOST:8786] [--workers 2]

FOLDER is any place that fsspec knows: a folder, s3://season, gs://season. Each game becomes a line
of JSON in RESULTS.jsonl as soon as it is judged. Started again, the program goes on with what is
not there yet, or has changed. It leaves with 3 where a game does not verify.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import fsspec
from distributed import Client, Future, KilledWorker, LocalCluster, as_completed

from pbem.gamefile.verify import doubts
from pbem.play.season import judge
from pbem.render.safe import visible

MOST_BYTES = 32 << 20
AHEAD = 8
"""How many games wait for each worker: none idles, and the scheduler holds few."""
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


def season(folder: str) -> dict[str, str]:
    """The addresses of all files of a folder, each with a mark that changes when the file does."""
    system, root = fsspec.url_to_fs(folder)
    found = system.find(root, detail=True)
    return {system.unstrip_protocol(path): _mark(about) for path, about in sorted(found.items())}


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


def audit(
    client: Client, urls: list[str], task: Task = judged
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Judges files on the cluster; yields each when it is done, in any order.

    A worker that dies is replaced. Games that were on workers as they died are tried once more at
    the end, one at a time; the one that ends its worker even then is told as lost.
    """
    left, names, suspects = iter(urls), {}, []
    running = as_completed()

    def send() -> None:
        for url in islice(left, 1):
            future = client.submit(task, url, pure=False)
            names[future.key] = url
            running.add(future)

    for _ in range(AHEAD * max(1, len(client.scheduler_info()["workers"]))):
        send()
    for future in running:
        url, outcome = names.pop(future.key), _outcome(future)
        if outcome is None:
            suspects.append(url)
        else:
            yield url, outcome
        send()
    for url in suspects:
        alone = _outcome(client.submit(task, url, pure=False))
        yield url, alone or {"state": "lost", "why": "every worker that judged it was ended"}


def _outcome(future: Future) -> Outcome | None:
    """What a task found; None if its workers died. A fault of ours is told, not raised."""
    try:
        found: Outcome = future.result()
        return found
    except KilledWorker:
        return None
    except Exception as fault:
        return {"state": "lost", "why": f"{type(fault).__name__}: {fault}"[:300]}


def run(client: Client, folder: str, results: str) -> int:
    """Judges what is not in the results yet, and appends to them. Returns the exit code."""
    marks, before = season(folder), known(results)
    states = [before[each] for each in marks.items() if each in before]
    urls = [url for url, mark in marks.items() if (url, mark) not in before]
    print(f"{len(marks)} files, {len(states)} of them judged before", flush=True)
    begun = told = time.monotonic()
    with open(results, "a+", encoding="utf-8") as out:
        _end_line(out)
        for count, (url, outcome) in enumerate(audit(client, urls), 1):
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
        with client:
            return run(client, words.folder, words.results)
    with (
        LocalCluster(
            n_workers=words.workers, threads_per_worker=1, dashboard_address=None
        ) as cluster,
        Client(cluster) as client,
    ):
        return run(client, words.folder, words.results)


if __name__ == "__main__":
    sys.exit(main())
