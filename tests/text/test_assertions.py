"""What a failed test asserted tells it from another failure of the same test."""

import pytest

from memorybank.text.commands import assertions

RUST = "thread 'lists' (29821) panicked at tests/cli.rs:6:5:\nassertion `left == right` failed\n  left: {}\n right: {}"


@pytest.mark.parametrize(
    ("error", "found"),
    [
        (RUST.format("Some(3)", "Some(0)"), ["Some(3) | Some(0)"]),
        ("E       AssertionError: assert 7 == 5\nE         +7\nFAILED tests/a.py::t - AssertionError: assert 7 == 5", ["assert 7 == 5"]),
        ("AssertionError: 1980 != 1979\nFAILED (failures=1)", ["1980 != 1979"]),
        ("AssertionError: '税' not found in '送料'", ["'税' not found in '送料'"]),
        ("AssertionError: True is not false", ["True is not false"]),
        ("expect(received).toBe(expected)\n\nExpected: 3\nReceived: 5", ["3 | 5"]),
        ("  expected: 3\n       got: 5", ["3 | 5"]),
        ("cart_test.go:12: got 7, want 5", ["got 7, want 5"]),
        ("cart_test.go:12: Total() = 7, want 5", ["Total() = 7, want 5"]),
        ("org.opentest4j.AssertionFailedError: expected: <3> but was: <5>", ["expected: <3> but was: <5>"]),
        ("期待値: 3\n実際: 5", ["3 | 5"]),
        ("AssertionError: 5のはずが7", ["5のはずが7"]),
        ("KeyError: 'SHOP_SETTINGS'", []),
        ("ModuleNotFoundError: No module named 'shop'", []),
        ("AssertionError: no database at /srv/shop", []),
        ("error: expected one of `;` or `}`, found `x`", []),
        ("SyntaxError: expected ':'", []),
        ("connect ECONNREFUSED 127.0.0.1:5432", []),
        ("thread 'main' panicked at src/a.rs:3:5:\ncalled `Option::unwrap()` on a `None` value", []),
        ("", []),
    ],
)
def test_the_values_that_a_failed_test_compared(error, found):
    assert assertions.of(error) == found


@pytest.mark.parametrize(
    ("one", "other", "is_other"),
    [
        (RUST.format("Some(3)", "Some(0)"), RUST.format(7, 5), True),
        (RUST.format(7, 5), RUST.format(7, 5).replace("29821", "1").replace("6:5", "60:5"), False),
        ("a_test.go:12: got 7, want 5", "a_test.go:99: got 7, want 5", False),
        ("assert <Cart at 0x7f3a> == 1", "assert <Cart at 0x8b21> == 1", False),
        ("assert '/tmp/run-1/a' == 1", "assert '/tmp/run-1/a' == 2", True),
        ("assert 1 == 2\nassert 3 == 4", "assert 3 == 4", False),
        ("assert 1 == 2", "called `Option::unwrap()` on a `None` value", False),
        ("no such table: carts", "no such table: carts", False),
    ],
)
def test_another_failure_of_the_same_test(one, other, is_other):
    assert assertions.is_other(assertions.of(one), assertions.of(other)) is is_other
