"""Ports in texts and in commands."""

import pytest

from memorybank.text.commands import ports


@pytest.mark.parametrize(
    ("text", "command", "others"),
    [
        ("6379 belongs to another stack, ours is 6380", "redis-cli -p 6380 ping", ["6379"]),
        ("3000 は別のアプリです。開発用は 3100 です。", "curl -s http://localhost:3100/health | grep ok", ["3000"]),
        ("既定の 8080 は使用中なので、8090番で起動します", "PORT=8090 npm start", ["8080"]),
        ("6379 belongs to another stack, ours is 6380", "redis-cli ping", []),
        ("ours is 6380", "redis-cli -p 6380 ping", []),
        ("Since 2019 it was 6380", "redis-cli -p 6380 ping", []),
        ("6379 and 6380 are both ours", "redis-cli -p 7000 ping", []),
    ],
)
def test_the_ports_beside_the_one_that_a_command_uses(text, command, others):
    assert ports.others(text, command) == others


@pytest.mark.parametrize("number", ["4711.5", "v4711", "10,4711", "#4711", "99", "70000", "2024"])
def test_numbers_that_are_no_ports(number):
    assert ports.named(f"it is {number} now") == []
