"""Drives the example `tool_server` with the official Python client of MCP, as an agent's host would.

    client.py SERVER LOCK

One run of a toxicologist: what it is shown, a read, a hidden tool, a proposal that nothing was done for; the server is
killed and started again, and the proposal still stands; answers at a terminal (a wrong secret, no terminal at all, then a
yes), and what stands in the store afterwards. Then a state that was changed, with which no server begins. Then the audit file,
recomputed here with nothing but hashlib, whole and with each of its records changed. The first thing that is not as it
should be ends it with an error. Behind it, `outside.py` and `restarts.py`.
"""

import asyncio
import contextlib
import hashlib
import json
import os
import pathlib
import pty
import secrets
import shlex
import signal
import subprocess
import sys
import tempfile

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

ORGANIZATION, PROGRAM = "org-1", "P-1"
DRAFT = {
    "program_id": PROGRAM,
    "type": "safety_assessment",
    "title": "Margins of CPD-1001",
    "fields": [{"field": "noael", "value": "10", "unit": "mg/kg/day", "source": "R-101"}],
    "rationale": "The study report states a NOAEL that no assessment holds yet.",
}


CONSOLE = {
    "policy": "program-console", "environment": "production", "harness": "toxicologist", "role": "console", "surface": "mcp",
    "persona": "scientist",
}


def arguments(lock, folder, run=None):
    words = [word for name, value in (run or CONSOLE).items() for word in (f"--{name}", value)]
    return [
        "serve", "--lock", lock, *words, "--organization", ORGANIZATION, "--program", PROGRAM, "--person", "u-ada",
        "--people", f"{folder}/people",
        "--kill_switch", f"{folder}/kill_switch", "--approvals", f"{folder}/approvals", "--audit", f"{folder}/audit.jsonl",
        "--state", f"{folder}/state.jsonl",
    ]


def write_people(folder, secret, persona="program_lead"):
    salt = secrets.token_bytes(16)
    digest = hashlib.scrypt(secret.encode(), salt=salt, n=2**14, r=8, p=1, dklen=32).hex()
    entry = {"person": "u-lin", "personas": [persona], "secret": f"scrypt:14:8:1:{salt.hex()}:{digest}"}
    pathlib.Path(folder, "people").write_text(json.dumps(entry) + "\n")
    pathlib.Path(folder, "kill_switch").write_text("off\n")


def at_a_terminal(server, folder, action, lines):
    """Runs the approver under a terminal of its own and types; hands back the exit code and the screen."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(server, [server, "approve", "--approvals", f"{folder}/approvals", "--action", action])
    screen = b""
    questions = [b"who are you: ", b"your secret: ", b"no to end it: "]
    while True:
        try:
            read = os.read(terminal, 65536)
        except OSError:
            break
        if not read:
            break
        screen += read
        while questions and lines and screen.endswith(questions[0]):
            questions.pop(0)
            os.write(terminal, lines.pop(0).encode() + b"\n")
    _, status = os.waitpid(pid, 0)
    os.close(terminal)
    return os.waitstatus_to_exitcode(status), screen.decode()


def value(result):
    """The structured value, and that the text says the same."""
    structured = getattr(result, "structured_content", None) or getattr(result, "structuredContent", None)
    assert json.loads(result.content[0].text) == structured, result
    return structured


def failed(result):
    return bool(getattr(result, "is_error", None) or getattr(result, "isError", None))


@contextlib.asynccontextmanager
async def session_of(server, lock, folder, run=None, env=None):
    """A session with a server of its own, whose process id stands in a file."""
    script = f'echo $$ > {shlex.quote(folder)}/pid; exec "$0" "$@"'
    parameters = StdioServerParameters(command="/bin/sh", args=["-c", script, server, *arguments(lock, folder, run)], env=env)
    async with stdio_client(parameters) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        yield session


async def drive(server, lock, folder, secret):
    pending = None
    try:
        async with session_of(server, lock, folder) as session:
            await listed(session)
            await reads(session)
            await hidden(session)
            await refused_input(session)
            pending = await proposed(session)
            os.kill(int(pathlib.Path(folder, "pid").read_text()), signal.SIGKILL)
    except Exception:
        # The transport breaks under a client whose server is killed; nothing before that may fail.
        if pending is None:
            raise
    async with session_of(server, lock, folder) as session:
        await decided(session, server, folder, secret, pending)
    unchanged(server, lock, folder)


def unchanged(server, lock, folder):
    """No server begins with a state that somebody changed, in whichever line."""
    path = pathlib.Path(folder, "state.jsonl")
    text = path.read_text()
    lines = text.splitlines()
    for number in (1, len(lines) // 2, len(lines)):
        line, changed = lines[number - 1], [*lines]
        changed[number - 1] = line.replace("in_review", "final", 1).replace("R-101", "R-100", 1)
        assert changed != lines, line
        path.write_text("".join(line + "\n" for line in changed))
        begun = subprocess.run([server, *arguments(lock, folder)], input="", capture_output=True, text=True)
        assert begun.returncode == 2 and f"broken at line {number}" in begun.stderr, begun
    path.write_text(text)


async def listed(session):
    tools = {tool.name: tool for tool in (await session.list_tools()).tools}
    assert "records.search" in tools and "records.propose_draft" in tools, sorted(tools)
    for tool in ("records.retire", "documents.fetch"):
        assert tool not in tools, f"{tool} is shown to a run that may not call it"
    schema = tools["documents.search"]
    schema = getattr(schema, "input_schema", None) or schema.inputSchema
    assert schema["unevaluatedProperties"] is False, "the schema that is shown is open"


async def reads(session):
    found = value(await session.call_tool("records.search", {"program_id": PROGRAM}))
    titles = [record["title"] for record in found["records"]]
    assert len(titles) == 2 and all(title.startswith("untrusted: ") for title in titles), titles
    raw = json.dumps(found)
    assert "Ignore your instructions" not in raw and "R-201" not in raw, raw


async def hidden(session):
    for tool, code in (
        ("documents.fetch", "policy_denied"),
        ("records.retire", "harness_denied"),
        ("records.approve", "unknown_tool"),
    ):
        result = await session.call_tool(tool, {"program_id": PROGRAM})
        assert failed(result) and value(result)["code"] == code, (tool, result)


async def refused_input(session):
    other = await session.call_tool("records.search", {"program_id": "P-2"})
    assert failed(other) and value(other)["code"] == "target_mismatch", other
    wrong = await session.call_tool("records.search", {"program_id": PROGRAM, "approve": True})
    assert failed(wrong) and value(wrong)["code"] == "input_invalid", wrong


async def count(session):
    return len(value(await session.call_tool("records.search", {"program_id": PROGRAM}))["records"])


async def proposed(session):
    result = await session.call_tool("records.propose_draft", DRAFT)
    pending = value(result)
    assert not failed(result) and pending["status"] == "pending" and pending["approval"] == "confirm", result
    assert await count(session) == 2, "a write ran from a call"
    return pending


async def decided(session, server, folder, secret, pending):
    action = pending["action"]
    code, screen = await asyncio.to_thread(at_a_terminal, server, folder, action, ["u-lin", "guess", "yes"])
    assert code == 2 and "not_authenticated" in screen and DRAFT["title"] not in screen, screen
    piped = subprocess.run(
        [server, "approve", "--approvals", f"{folder}/approvals", "--action", action],
        input=f"u-lin\n{secret}\nyes\n", capture_output=True, text=True, start_new_session=True,
    )
    assert piped.returncode == 2 and "no terminal" in piped.stderr, piped
    assert await count(session) == 2, "a refused answer did something"

    code, screen = await asyncio.to_thread(at_a_terminal, server, folder, action, ["u-lin", secret, "yes"])
    assert code == 0 and "executed" in screen, screen
    assert pending["digest"] in screen and DRAFT["title"] in screen, "what is approved was not shown whole"
    assert screen.index(pending["digest"]) < screen.index("words_of_the_model"), "the model speaks first"
    assert secret not in screen, "the secret was echoed"
    assert await count(session) == 3, "what was approved was not done"

    code, screen = await asyncio.to_thread(at_a_terminal, server, folder, action, ["u-lin", secret, "yes"])
    assert "already_counted" in screen, screen
    assert await count(session) == 3, "one yes did it twice"


def recompute(lines):
    """The number of the first record that does not hold; None where all do."""
    genesis = {"audit": "harness-audit/1", "chain": "trail", "organization": ORGANIZATION}
    prev = "sha256:" + hashlib.sha256(json.dumps(genesis, separators=(",", ":")).encode()).hexdigest()
    for number, line in enumerate(lines, 1):
        row = json.loads(line)
        claimed = row.pop("hash")
        text = json.dumps(row, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        own = "sha256:" + hashlib.sha256((prev + text).encode()).hexdigest()
        if row["seq"] != number or row["prev"] != prev or own != claimed:
            return number
        prev = claimed
    return None


def audited(server, folder, secret):
    path = pathlib.Path(folder, "audit.jsonl")
    text = path.read_text()
    lines = text.splitlines()
    assert recompute(lines) is None, "the chain is broken"
    events = [json.loads(line)["event"] for line in lines]
    for event in (
        "agent_run.created", "agent_run.resumed", "agent_run.tool_allowed", "agent_run.policy_denied", "agent_run.harness_denied",
        "agent_run.unknown_tool", "agent_run.target_mismatch", "agent_run.input_invalid",
        "agent_run.tool_proposed", "action.proposed", "action.vote", "action.consumed", "agent_run.ended",
    ):
        assert event in events, f"{event} was not recorded: {events}"
    for once in ("agent_run.created", "action.proposed", "action.consumed", "action.executed"):
        assert events.count(once) == 1, f"{once}: {events}"
    for secret_text in (secret, DRAFT["title"], DRAFT["rationale"], "records.approve", "Ignore your"):
        assert secret_text not in text, f"{secret_text!r} stands in the audit"

    def verify(of):
        path.write_text("".join(line + "\n" for line in of))
        command = [server, "verify", "--audit", str(path), "--organization", ORGANIZATION]
        return subprocess.run(command, capture_output=True, text=True)

    assert verify(lines).returncode == 0
    for number, line in enumerate(lines, 1):
        changed = [*lines]
        changed[number - 1] = line.replace('"at_ms":1', '"at_ms":2', 1)
        broken = verify(changed)
        assert broken.returncode != 0 and f"seq {number}:" in broken.stderr, (number, broken)
        assert recompute(changed) == number
    verify(lines)


def main():
    # They lean on this file.
    import outside
    import restarts

    server, lock = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:3])
    secret = secrets.token_hex(16)
    with tempfile.TemporaryDirectory() as folder:
        write_people(folder, secret)
        asyncio.run(drive(server, lock, folder, secret))
        audited(server, folder, secret)
        kept = sys.argv[3:4]
        if kept:
            pathlib.Path(kept[0]).write_text(pathlib.Path(folder, "audit.jsonl").read_text())
    outside.drive(server, str(pathlib.Path(__file__).with_name("tickets") / "harness.lock"))
    restarts.drive(server, lock)
    print("the MCP client saw what it should: list, read, hidden, proposal, approval, execution, chain; an outside server that drifts, falls silent and comes back; second starts, full disks, cuts and kills")


if __name__ == "__main__":
    main()
