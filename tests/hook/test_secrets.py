"""No secret reaches the disk: secrets of every family in every carrier go through the hook, then every byte under the bank is read."""

import random
from pathlib import Path

import pytest

from memorybank.clock import FixedClock
from memorybank.cycle.base import describe
from memorybank.cycle.router import HookRouter
from memorybank.hosts.claude_code import ClaudeCode
from tests.text import secrets_by_lot as drawn

pytestmark = pytest.mark.slow

NOW = 1_758_112_496_789


def payload_of(host, number, carrier, text):
    """The event that would bring such a text."""
    if carrier == "Japanese sentence":
        return host.payload("UserPromptSubmit", prompt=text, prompt_id=f"p{number}")
    if carrier == "error message":
        return host.tool(number, command="make deploy", failed=f"Exit code 1\n{text}")
    if carrier in ("command line", "URL"):
        return host.tool(number, command=text if carrier == "command line" else f"curl '{text}'")
    if carrier == "diff":
        return host.tool(number, "Edit", file_path=str(host.project / "a.py"), old_string="x", new_string=text, output=text)
    if carrier == "JSON":
        return host.payload("Stop", last_assistant_message=text, stop_hook_active=False)
    return host.tool(number, command="cat settings", output=text)


def forms(secret):
    """The secret as it would lie in a file: as it is, and as JSON writes it."""
    return {secret.encode(), secret.replace("\n", "\\n").replace('"', '\\"').encode()}


def found_below(root, secrets):
    stored = b"\0".join(path.read_bytes() for path in Path(root).rglob("*") if path.is_file())
    return [secret for secret in secrets if any(form in stored for form in forms(secret))]


@pytest.mark.cases(1)
@pytest.mark.parametrize("seed", [7, 20_251_122])
def test_no_secret_lies_below_the_bank(host, seed, request):
    step = 2 if request.config.getoption("--all") else 4
    lot = random.Random(seed)
    found = drawn.secrets(lot)
    assert len(found) >= 240 and len({family for family, _, _ in found}) >= 12
    dialect = ClaudeCode()
    number = 0
    for position, (_, _, text) in enumerate(found):
        for carrier in list(drawn.CARRIERS)[position % step :: step]:
            number += 1
            base = describe(host.bank.layout, FixedClock(NOW + number * 1000))
            router = HookRouter(base, dialect.delivers)
            event = dialect.to_event(payload_of(host, number, carrier, drawn.CARRIERS[carrier](text)), {})
            router.answer(event)
            router.finish(event)
    assert found_below(host.bank.root, [secret for _, secret, _ in found]) == []
    marks = b"".join(path.read_bytes() for path in (host.bank.root / "log" / "events").iterdir()).count(b"[REDACTED:")
    assert marks >= number * 0.99


def test_nor_through_the_real_process(host):
    """One of each family in one carrier each, as a host sends it."""
    found = drawn.secrets(random.Random(3), each=1)
    carriers = list(drawn.CARRIERS)
    for number, (_, _, text) in enumerate(found):
        carrier = carriers[number % len(carriers)]
        assert host.fire(payload_of(host, number, carrier, drawn.CARRIERS[carrier](text))).returncode == 0
    host.fire(host.payload("SessionEnd", reason="other"))
    assert found_below(host.bank.root, [secret for _, secret, _ in found]) == []
    assert any((host.bank.root / "log" / "events").iterdir())


def played(host, payloads):
    """Let the router record and organize each (payload, remarks), a second apart."""
    dialect = ClaudeCode()
    for number, (payload, remarks) in enumerate(payloads):
        event = dialect.to_event(payload, {})
        event.remarks = remarks
        router = HookRouter(describe(host.bank.layout, FixedClock(NOW + number * 1000)), dialect.delivers)
        router.answer(event)
        router.finish(event)


def logged(host, field):
    from memorybank.log import events

    return [line.fields[field] for line in events.read(host.bank.layout, events.name_of(host.session)) if field in line.fields]


@pytest.mark.cases(1)
@pytest.mark.parametrize("before", [0, 290, 650])
def test_nor_in_what_an_agent_says_on_the_way(host, before, request):
    """A remark is cut into passages of 340 characters and kept up to 700: a secret that lies across a cut is found before it."""
    found = drawn.secrets(random.Random(11), each=20 if request.config.getoption("--all") else 6)
    filler = "It fails because the old token is still in use. " * 20
    payloads = []
    for number, (_, _, text) in enumerate(found):
        remark = f"{filler[:before]}It fails because of {text}\nand that must be replaced."
        stop = host.payload("Stop", last_assistant_message=f"Done, step {number}.", stop_hook_active=False)
        payloads.append((stop, [("toolu_1", remark)]))
    played(host, payloads)
    assert len(logged(host, "remarks")) == len(found)
    assert found_below(host.bank.root, [secret for _, secret, _ in found]) == []


@pytest.mark.cases(1)
@pytest.mark.parametrize("where", [3_990, 4_000, 6_000, 8_010])
def test_nor_in_long_prompts_and_answers(host, where):
    """Texts are kept up to 8,000 characters, cut in the middle: a secret on either side of a cut is found before it."""
    found = drawn.secrets(random.Random(13), each=2)
    words = "The cart is sold at the market of the town. " * 300
    payloads = []
    for number, (_, _, text) in enumerate(found):
        long = f"{words[:where]} {text} {words[:4_000]}"
        payloads.append((host.payload("UserPromptSubmit", prompt=long, prompt_id=f"p{number}"), []))
        payloads.append((host.payload("Stop", last_assistant_message=long, stop_hook_active=False), []))
    played(host, payloads)
    assert len(logged(host, "whole")) == 2 * len(found)
    assert all(len(str(text)) > 7_000 for text in logged(host, "inputs") if text)
    assert found_below(host.bank.root, [secret for _, secret, _ in found]) == []


def test_nor_from_a_transcript_through_the_real_process(host, tmp_path):
    from tests.imports.written import Transcript

    found = drawn.secrets(random.Random(17), each=1)
    day = Transcript(host.session, str(host.project)).prompt("mend the kettle")
    for _, _, text in found:
        day.say(f"It fails because of {text}\nand that must be replaced.").bash("ls")
    path = day.say("Mended.").write(tmp_path)
    stop = {**host.payload("Stop", last_assistant_message="Mended.", stop_hook_active=False), "transcript_path": str(path)}
    assert host.fire(stop).returncode == 0
    (remarks,) = logged(host, "remarks")
    assert len(remarks) > 10
    assert found_below(host.bank.root, [secret for _, secret, _ in found]) == []
