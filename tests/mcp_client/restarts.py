"""Starts, kills, cuts and fills up the example `tool_server`: a second start beside a running one, a disk that is full, a state or
a trail that somebody cut or wrote, a kill between a yes and what it allows, the next run. Both sides are asserted: what is
answered, and what the files hold afterwards. It speaks JSON-RPC itself, a message a line, since what is broken in between would
break a client's session as well.
"""

import collections
import contextlib
import hashlib
import hmac
import json
import pathlib
import resource
import secrets
import socket
import subprocess
import tempfile
import threading
import time

import client

SECRET = secrets.token_hex(8)
SEARCH = ("records.search", {"program_id": client.PROGRAM})


class Server:
    """A running one. SIGXFSZ is ignored, so that a file's limit is an error of a write."""

    def __init__(self, desk, **changes):
        command = ["/bin/sh", "-c", 'trap "" XFSZ; exec "$0" "$@"', *desk.command(**changes)]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
        self.asked = 0
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "restarts", "version": "1"}}
        self.ask("initialize", hello)
        self.say({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def say(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def ask(self, method, params):
        self.asked += 1
        self.say({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params})
        line = self.process.stdout.readline()
        assert line, self.process.stderr.read()
        return json.loads(line)["result"]

    def call(self, tool, arguments):
        return self.ask("tools/call", {"name": tool, "arguments": arguments})["structuredContent"]

    def count(self):
        return len(self.call(*SEARCH)["records"])

    def proposed(self):
        pending = self.call("records.propose_draft", client.DRAFT)
        assert pending["status"] == "pending", pending
        return pending

    def kill(self):
        self.process.kill()
        self.process.wait()

    def end(self):
        """Ends it as a client does that goes: its last word."""
        self.process.stdin.close()
        code = self.process.wait(20)
        told = self.process.stderr.read()
        assert code == 0 and "the chain is whole" in told, (code, told)


class Desk:
    """A folder with what a server needs."""

    def __init__(self, server, lock, folder):
        self.server, self.lock, self.folder = server, lock, pathlib.Path(folder)
        self.audit, self.state, self.key = (self.folder / name for name in ("audit.jsonl", "state.jsonl", "state.jsonl.key"))
        client.write_people(folder, SECRET)

    def command(self, **changes):
        words = client.arguments(self.lock, self.folder)
        for name, value in changes.items():
            if f"--{name}" in words:
                words[words.index(f"--{name}") + 1] = str(value)
            else:
                words += [f"--{name}", str(value)]
        return [self.server, *words]

    @contextlib.contextmanager
    def serving(self, **changes):
        running = Server(self, **changes)
        try:
            yield running
        finally:
            running.kill()

    def refused(self, why, **changes):
        """A start that comes to nothing, for this reason, and touches neither file."""
        before = self.files()
        begun = subprocess.run(self.command(**changes), input="", capture_output=True, text=True, timeout=20)
        assert begun.returncode == 2 and why in begun.stderr, (why, begun)
        assert self.files() == before, f"a start that was refused ({why}) wrote"

    def files(self):
        return [path.read_bytes() if path.exists() else None for path in (self.audit, self.state, self.key)]

    def switch(self, word):
        (self.folder / "kill_switch").write_text(word + "\n")

    def connected(self, path="approvals"):
        stream = socket.socket(socket.AF_UNIX)
        stream.settimeout(30)
        stream.connect(str(self.folder / path))
        return stream, stream.makefile("rw")

    def yes(self, pending):
        """A yes by whoever may; what becomes of it."""
        stream, lines = self.connected()
        with stream, lines:
            for said in (
                {"action": pending["action"], "person": "u-lin", "secret": SECRET},
                {"digest": pending["digest"], "says": "yes", "subject": {"action": pending["action"]}},
            ):
                lines.write(json.dumps(said) + "\n")
                lines.flush()
                told = json.loads(lines.readline())
            return told.get("refused") or told["outcome"]

    def records(self):
        lines = self.audit.read_text().splitlines()
        assert client.recompute(lines) is None, "the chain is broken"
        return [json.loads(line) for line in lines]

    def events(self):
        return collections.Counter(record["event"] for record in self.records())


def once(desk, events):
    counted = desk.events()
    assert {event: counted[event] for event in events} == events, counted


def a_second_start(desk):
    """It ends before it has written anything, whichever of the three it shares with the first one, which goes on."""
    with desk.serving() as first:
        pending = first.proposed()
        desk.refused("is attended to by another server")
        desk.refused("another server's", approvals=desk.folder / "other")
        desk.refused("another server's", approvals=desk.folder / "other", state=desk.folder / "other.jsonl")
        assert desk.yes(pending) == "executed" and first.count() == 3
        first.end()
    once(desk, {"agent_run.created": 1, "agent_run.resumed": 0, "action.unknown": 0, "action.executed": 1})


def what_is_no_socket(desk):
    """What stands where the socket should be stays what it is."""
    precious = desk.folder / "precious"
    precious.write_text("precious")
    link = desk.folder / "link"
    link.symlink_to(precious)
    for place in (precious, link):
        desk.refused("is no socket", approvals=place)
    assert precious.read_text() == "precious" and link.is_symlink() and not desk.audit.exists()
    with desk.serving() as first:
        first.kill()
    with desk.serving() as second:
        assert second.count() == 2, "the socket of a server that was killed is in the way"


def a_full_disk(desk):
    """A write that fails half-way takes nothing with it that is acknowledged later, in either file."""

    def full(running, path, code):
        size = path.stat().st_size
        _, hard = resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE, (size + 40, hard))
        answers = [running.call(*SEARCH).get("code") for _ in range(2)]
        assert answers == [code] * 2, answers
        assert path.stat().st_size == size and path.read_bytes().endswith(b"\n"), "half a line was left"
        resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE, (hard, hard))
        return running.proposed()

    with desk.serving() as running:
        # The state is the longer file from here on: a limit behind its end is none of the trail's.
        running.proposed()
        assert desk.state.stat().st_size > desk.audit.stat().st_size + 2_000
        first = full(running, desk.state, "budget_unreadable")
        second = full(running, desk.audit, "audit_unavailable")
        running.kill()
    with desk.serving() as running:
        assert [desk.yes(pending) for pending in (first, second)] == ["executed", "executed"]
        assert running.count() == 4
        running.end()


def a_start_that_was_not_kept(desk):
    """The trail took a start and the state did not: nothing was done, and the approval is spent."""
    with desk.serving() as running:
        pending = running.proposed()
        line = len(desk.state.read_bytes().splitlines()[-1])
        _, hard = resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE)
        # Room for the state with the yes, and none for the one behind it.
        resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE, (desk.state.stat().st_size + line * 3 // 2, hard))
        assert desk.yes(pending) == "store_failed"
        once(desk, {"action.approved": 1, "action.consumed": 1, "action.executed": 0})
        resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE, (hard, hard))
        assert desk.yes(pending) == "action_closed" and running.count() == 2
        running.kill()
    with desk.serving() as running:
        assert desk.yes(pending) == "action_closed" and running.count() == 2
        running.end()
    once(desk, {"action.consumed": 1, "action.executed": 0, "action.unknown": 1})


def half_a_line(desk):
    """A server that goes within a write leaves half a line, which was never acknowledged and is in nobody's way."""
    with desk.serving() as running:
        pending = running.proposed()
        running.kill()
    for path in (desk.audit, desk.state):
        path.write_bytes(path.read_bytes() + b'{"at_ms":1')
    with desk.serving() as running:
        assert desk.yes(pending) == "executed" and running.count() == 3
        running.end()


def a_state_that_was_cut(desk):
    """Whole lines cut off the state's end: no server begins where the trail says that something was carried out in them."""
    with desk.serving() as running:
        pending = running.proposed()
        before = desk.state.read_text()
        assert desk.yes(pending) == "executed"
        running.kill()
    whole = desk.state.read_text()
    for cut in (before, ""):
        desk.state.write_text(cut)
        desk.refused("the state is older than the trail")
    desk.state.write_text(whole)
    with desk.serving() as running:
        assert desk.yes(pending) == "already_counted" and running.count() == 3
    once(desk, {"action.consumed": 1, "action.executed": 1, "action.unknown": 0})


def a_kill_between_trail_and_state(desk):
    """A server that goes after the trail took a start and before the state did: nobody knows, and nobody tries again."""
    with desk.serving() as running:
        pending = running.proposed()
        assert desk.yes(pending) == "executed"
        running.kill()
    trail = desk.audit.read_text().splitlines(keepends=True)
    states = desk.state.read_text().splitlines(keepends=True)
    consumed = next(at for at, line in enumerate(trail) if '"action.consumed"' in line)
    approved = max(at for at, line in enumerate(states) if json.loads(json.loads(line)["state"])["audit"][1] <= consumed)
    desk.audit.write_text("".join(trail[: consumed + 2]))
    desk.state.write_text("".join(states[: approved + 1]))
    for _ in range(2):
        with desk.serving() as running:
            assert desk.yes(pending) == "action_closed" and running.count() == 2
    once(desk, {"action.consumed": 1, "action.started": 1, "action.executed": 0, "action.unknown": 1, "action.vote_refused": 2})


def chained(key, prev, state):
    body = (5).to_bytes(8, "big") + b"state" + f"{prev}\n{state}".encode()
    return "hmac-sha256:" + hmac.new(key, body, hashlib.sha256).hexdigest()


def a_state_that_was_written(desk):
    """A last line that somebody wrote anew is found without the key. With the key it is served, and what was consumed once is not
    consumed again all the same: the trail says that it was."""
    with desk.serving() as running:
        pending = running.proposed()
        early = json.loads(json.loads(desk.state.read_text().splitlines()[-1])["state"])
        assert desk.yes(pending) == "executed"
        running.kill()
    text = desk.state.read_text()
    *rest, last = text.splitlines()
    line, key = json.loads(last), desk.key.read_bytes()
    assert len(key) == 32 and desk.key.stat().st_mode & 0o077 == 0
    assert line["hash"] == chained(key, line["prev"], line["state"])

    def written(state, hashed):
        forged = {**line, "hash": hashed(line["prev"], state), "state": state}
        desk.state.write_text("".join(one + "\n" for one in [*rest, json.dumps(forged)]))

    final = line["state"].replace("in_review", "final")
    written(final, lambda prev, state: "sha256:" + hashlib.sha256(f"{prev}\n{state}".encode()).hexdigest())
    desk.refused(f"broken at line {len(rest) + 1}")
    written(final, lambda prev, state: chained(bytes(32), prev, state))
    desk.refused(f"broken at line {len(rest) + 1}")
    desk.state.write_text(text)
    for held, why in ((None, "state.jsonl.key"), (key[:-1], "no key"), (bytes(32), "broken at line 1")):
        desk.key.unlink(missing_ok=True)
        if held is not None:
            desk.key.write_bytes(held)
            desk.key.chmod(0o600)
        desk.refused(why)
    desk.key.write_bytes(key)
    desk.key.chmod(0o644)
    desk.refused("can be read by others")
    desk.key.chmod(0o600)

    written(json.dumps({**json.loads(final), "actions": early["actions"]}), lambda *said: chained(key, *said))
    with desk.serving() as running:
        assert {record["state"] for record in running.call(*SEARCH)["records"]} == {"final", "draft"}
        assert desk.yes(pending) == "action_closed" and running.count() == 3
    once(desk, {"action.consumed": 1, "action.executed": 1})


def what_was_approved(desk):
    """An approved action that could not be started is started by the same yes, or when the server comes back. Once."""
    with desk.serving() as running:
        pending = running.proposed()
        desk.switch("on")
        assert desk.yes(pending) == "ai_disabled" and desk.yes(pending) == "ai_disabled"
        desk.switch("off")
        assert desk.yes(pending) == "executed" and desk.yes(pending) == "already_counted" and running.count() == 3
        second = running.proposed()
        desk.switch("on")
        assert desk.yes(second) == "ai_disabled"
        running.kill()
    with desk.serving() as running:
        assert running.count() == 3, "the kill switch is on"
        running.kill()
    desk.switch("off")
    for _ in range(2):
        with desk.serving() as running:
            assert running.count() == 4, "what was approved was not taken up, or twice"
            assert desk.yes(second) == "already_counted"
    once(desk, {"action.approved": 2, "action.consumed": 2, "action.executed": 2})


def the_same_digests(desk):
    """The records of one call before and after a kill can be told to be about the same input and permissions."""
    for _ in range(2):
        with desk.serving() as running:
            assert running.call("records.search", {"program_id": "P-2"})["code"] == "target_mismatch"
            running.kill()
    told = [record["fields"] for record in desk.records() if record["event"] == "agent_run.target_mismatch"]
    assert len(told) == 2 and told[0]["input"].startswith("hmac-sha256:"), told
    assert [told[0][name] for name in ("input", "permissions")] == [told[1][name] for name in ("input", "permissions")], told


def revised(desk, revision, predecessor):
    """The lock as a later revision. Unsigned, so that whoever writes it may say what it follows."""
    first, rest = pathlib.Path(desk.lock).read_text().split("\n", 1)
    digest = json.loads(first.rstrip(",") + "}")["digest"]
    lines = rest.replace('"revision": 1,', f'"revision": {revision},', 1).split("\n")
    behind = next(at for at, line in enumerate(lines) if line.startswith('  "') and line > '  "predecessor"')
    rest = "\n".join([*lines[:behind], f'  "predecessor": {json.dumps(predecessor or digest)},', *lines[behind:]])
    named = "sha256:" + hashlib.sha256(rest.encode()).hexdigest()
    path = desk.folder / f"{revision}.lock"
    path.write_text(first.replace(digest, named) + "\n" + rest)
    return path, named


def the_next_run(desk):
    """It begins with what the runs before it did, and under no lock that is older than theirs."""
    with desk.serving() as running:
        assert desk.yes(running.proposed()) == "executed"
        running.end()
    second, digest = revised(desk, 2, None)
    fourth, _ = revised(desk, 4, digest)
    with desk.serving(lock=second) as running:
        assert running.count() == 3, "what was approved and done is gone"
        running.end()
    desk.refused("revision")
    desk.refused("revision", lock=fourth)
    desk.refused("takes `yes` or `no`", lock=fourth, allow_gap="perhaps")
    with desk.serving(lock=fourth, allow_gap="yes") as running:
        assert running.count() == 3
        running.end()
    # A server that goes between the trail's end of a run and the state's: the run is over.
    states = desk.state.read_text().splitlines(keepends=True)
    desk.state.write_text("".join(states[:-1]))
    with desk.serving(lock=fourth) as running:
        assert running.count() == 3
        running.end()
    once(desk, {"agent_run.created": 4, "agent_run.ended": 4, "agent_run.resumed": 0})


def guesses(desk):
    """Secrets are tried one after another, and connections are counted."""
    guess = json.dumps({"action": "act-1", "person": "u-lin", "secret": "guess"}) + "\n"

    def tried(told):
        stream, lines = desk.connected()
        with stream, lines:
            lines.write(guess)
            lines.flush()
            told.append(json.loads(lines.readline())["refused"])

    with desk.serving() as running:
        pending, told, began = running.proposed(), [], time.monotonic()
        threads = [threading.Thread(target=tried, args=(told,)) for _ in range(4)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        assert told == ["not_authenticated"] * 4 and time.monotonic() - began >= 2, (told, time.monotonic() - began)
        with contextlib.ExitStack() as open_ones:
            waiting = [desk.connected() for _ in range(16)]
            [open_ones.enter_context(stream) for stream, _ in waiting]
            stream, lines = desk.connected()
            assert json.loads(lines.readline())["refused"] == "busy"
            stream.close()
            endless, _ = waiting[0]
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                endless.sendall(b"x" * 200_000)
                assert endless.recv(1) == b"", "a line without end was read on"
            [stream.shutdown(socket.SHUT_RDWR) for stream, _ in waiting[1:]]
        time.sleep(0.2)
        assert desk.yes(pending) == "executed" and running.count() == 3


@contextlib.contextmanager
def fresh(server, lock):
    with tempfile.TemporaryDirectory() as folder:
        yield Desk(server, lock, folder)


def drive(server, lock):
    with fresh(server, lock) as desk:
        a_second_start(desk)
    with fresh(server, lock) as desk:
        what_is_no_socket(desk)
    if hasattr(resource, "prlimit"):
        with fresh(server, lock) as desk:
            a_full_disk(desk)
        with fresh(server, lock) as desk:
            a_start_that_was_not_kept(desk)
    else:
        print("no process can be given a limit here: full disks are skipped")
    with fresh(server, lock) as desk:
        half_a_line(desk)
    with fresh(server, lock) as desk:
        a_state_that_was_cut(desk)
    with fresh(server, lock) as desk:
        a_kill_between_trail_and_state(desk)
    with fresh(server, lock) as desk:
        a_state_that_was_written(desk)
    with fresh(server, lock) as desk:
        what_was_approved(desk)
    with fresh(server, lock) as desk:
        the_same_digests(desk)
    with fresh(server, lock) as desk:
        the_next_run(desk)
    with fresh(server, lock) as desk:
        guesses(desk)
