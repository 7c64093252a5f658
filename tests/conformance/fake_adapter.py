"""An adapter process that misbehaves on purpose; its argument says how.

It parses nothing: all text is the region `content`, chunk by chunk. It misbehaves when the text is `bad` and is good
otherwise, so that tests see whether a run goes on after it. A second argument is a file for what it has to remember or
to tell.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

HELLO = {
    "type": "hello",
    "protocol": 1,
    "name": "fake",
    "version": "1",
    "language": "Python",
    "contents": ["text"],
    "features": ["lookahead"],
    "dialect": None,
}


def say(document: Any) -> None:
    print(json.dumps(document), flush=True)


def good(request: Mapping[str, Any]) -> dict[str, Any]:
    """The right answer for a template whose implicit field is `content` and for a text without delimiters."""
    text = "".join(request["chunks"])
    opened = False
    feeds: list[list[Any]] = []
    for part in request["chunks"]:
        events: list[Any] = []
        if part and not opened:
            opened = True
            events.append({"type": "region_open", "field": "content"})
        if part:
            events.append({"type": "region_chunk", "field": "content", "text": part, "dirty": False})
        feeds.append(events)
    final = [{"type": "region_close", "field": "content", "value": text.strip()}] if opened else []
    message = {"content": text.strip()} if text.strip() else {}
    return {"type": "result", "id": request["id"], "initial": [], "feeds": feeds, "final": final, "message": message}


def crash(request: Mapping[str, Any]) -> None:
    print("last words", file=sys.stderr, flush=True)
    sys.exit(7)


def crash_when_cut(request: Mapping[str, Any]) -> None:
    """In the middle of the requests that are under way for a case."""
    if len(request["chunks"]) < 2:
        say(good(request))
    else:
        print(f"can't bear {request['chunks']}", file=sys.stderr, flush=True)
        sys.exit(3)


def fails_in_many_pieces(request: Mapping[str, Any]) -> None:
    """A fault that the named ways to cut a text don't show."""
    pieces = len(request["chunks"])
    wrong = 2 < pieces < len("".join(request["chunks"])) and "" not in request["chunks"]
    say({**good(request), "message": {"content": "too many pieces"}} if wrong else good(request))


def killed(request: Mapping[str, Any]) -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def hang(request: Mapping[str, Any]) -> None:
    print("still thinking", file=sys.stderr, flush=True)
    time.sleep(600)


def hang_and_tell(request: Mapping[str, Any]) -> None:
    Path(sys.argv[2]).write_text(str(os.getpid()))
    time.sleep(600)


def slow(request: Mapping[str, Any]) -> None:
    time.sleep(0.2)
    say(good(request))


def hang_with_child(request: Mapping[str, Any]) -> None:
    """A child that outlives its parent, unless the whole process group is killed; its id goes to standard error."""
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    print(f"child {child.pid}", file=sys.stderr, flush=True)
    time.sleep(600)


def garbage(request: Mapping[str, Any]) -> None:
    print("Loading weights... \x1b[31mdone\x1b[0m", flush=True)


def garbage_and_answer(request: Mapping[str, Any]) -> None:
    print(f"Loading weights...\n{json.dumps(good(request))}", flush=True)


def not_utf8(request: Mapping[str, Any]) -> None:
    sys.stdout.buffer.write(b'{"type": "result", "id": "\xff"}\n')
    sys.stdout.buffer.flush()


def wrong_id(request: Mapping[str, Any]) -> None:
    say({**good(request), "id": request["id"] + 1})


def partial(request: Mapping[str, Any]) -> None:
    print('{"type": "result", "id":', end="", flush=True)
    sys.exit(0)


def partial_and_hang(request: Mapping[str, Any]) -> None:
    print('{"type": "result", "id":', end="", flush=True)
    time.sleep(600)


def twice(request: Mapping[str, Any]) -> None:
    line = json.dumps(good(request))
    print(f"{line}\n{line}", flush=True)


def no_events(request: Mapping[str, Any]) -> None:
    say({"type": "result", "id": request["id"], "message": {}})


def odd_event(request: Mapping[str, Any]) -> None:
    say({**good(request), "final": [{"type": "region_open", "field": "x", "start": 3}]})


def unsupported(request: Mapping[str, Any]) -> None:
    say({"type": "result", "id": request["id"], "unsupported": "streams"})


def stderr_flood(request: Mapping[str, Any]) -> None:
    """More than any pipe holds; an answer comes only if someone reads it."""
    for number in range(20_000):
        print(f"line {number} " + "x" * 100, file=sys.stderr)
    say(good(request))


def late(request: Mapping[str, Any]) -> None:
    """Everything comes at the end, however the text was cut."""
    answer = good({**request, "chunks": ["".join(request["chunks"])]})
    feeds: list[list[Any]] = [[] for _ in request["chunks"]]
    say({**answer, "feeds": feeds, "final": [*answer["feeds"][0], *answer["final"]]})


def early(request: Mapping[str, Any]) -> None:
    """The close comes with the last chunk, while the stream could still go on."""
    answer = good(request)
    answer["feeds"][-1] += answer["final"]
    say({**answer, "final": []})


def starts() -> int:
    """How often it has been started with this file, this time included."""
    return len(Path(sys.argv[2]).read_text())


def flaky(request: Mapping[str, Any]) -> None:
    """It goes well whenever it has been started an odd number of times."""
    (good_again if starts() % 2 else late)(request)


def good_again(request: Mapping[str, Any]) -> None:
    say(good(request))


def moody(request: Mapping[str, Any]) -> None:
    """The message is wrong, each time in another way."""
    say({**good(request), "message": {"content": starts()}})


BEHAVIOURS: dict[str, Callable[[Mapping[str, Any]], None]] = {
    function.__name__: function
    for function in (
        crash, crash_when_cut, fails_in_many_pieces, killed, hang, hang_and_tell, slow, flaky, moody,
        hang_with_child, garbage, garbage_and_answer, not_utf8, wrong_id, partial,
        partial_and_hang, twice, no_events, odd_event, unsupported, stderr_flood, late, early,
    )
}  # fmt: skip


def start(mode: str) -> None:
    """What goes wrong before or at hello."""
    if mode in ("flaky", "moody"):
        with Path(sys.argv[2]).open("a") as file:
            file.write("x")
    if mode == "talkative":
        print("hello there", file=sys.stderr, flush=True)
    if mode == "exits_at_once":
        sys.exit("no such model")
    if mode == "node_start":
        sys.exit("x.mjs:1\n\nError: Cannot find module 'x'\n    at load (y.mjs)\n\nNode.js v20\n")
    if mode == "slow_start":
        time.sleep(1.0)
    if mode == "silent_start":
        time.sleep(600)
    if mode == "garbage_hello":
        print("Hello!", flush=True)
    elif mode == "wrong_hello":
        say({**HELLO, "protocol": 2})
    elif mode == "colourful_name":
        say({**HELLO, "name": "\x1b[31mfake"})
    elif mode == "deaf":
        say(HELLO)
        time.sleep(600)  # and never reads a request
    else:
        say(HELLO)


def main() -> None:
    mode = sys.argv[1]
    for line in sys.stdin:
        request = json.loads(line)
        if mode == "talkative" and request["type"] == "run":
            print("about " + "".join(request["chunks"]), file=sys.stderr, flush=True)
        if request["type"] == "hello":
            start(mode)
        elif mode in BEHAVIOURS and ("".join(request["chunks"]) == "bad" or mode == "fails_in_many_pieces"):
            BEHAVIOURS[mode](request)
        else:
            say(good(request))


if __name__ == "__main__":
    main()
