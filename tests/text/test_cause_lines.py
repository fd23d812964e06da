"""The line of an output that says why something failed, as test runners and other programs of many languages print it."""

import pytest

from memorybank.text.commands.error_excerpt import cause_lines

OUTPUTS = {
    "exunit": (
        """\
Compiling 41 files (.ex)
Generated spotter app
Running ExUnit with seed: 374312, max_cases: 32


  1) test mount handles invalid project id gracefully (ShopWeb.CartLiveTest)
     test/shop_web/live/cart_live_test.exs:102
     ** (RuntimeError) Phoenix LiveView requires lazy_html as a test dependency.
     Please add to your mix.exs:
     stacktrace:
       (phoenix_live_view 1.1.0) lib/phoenix_live_view/test/dom.ex:12
.
Finished in 0.3 seconds
5 tests, 1 failure
""",
        "** (RuntimeError) Phoenix LiveView requires lazy_html as a test dependency.",
    ),
    "exunit-assert": (
        """\
  1) test total adds tax (Shop.CartTest)
     test/shop/cart_test.exs:12
     Assertion with == failed
     code:  assert total(cart) == 110
     left:  100
     right: 110
     stacktrace:
       test/shop/cart_test.exs:14: (test)

1 test, 1 failure
""",
        "1) test total adds tax (Shop.CartTest)",
    ),
    "rspec": (
        """\
F.

Failures:

  1) Cart adds an item
     Failure/Error: expect(cart.total).to eq(3)

     ActiveRecord::ConnectionNotEstablished:
       connection to server at "127.0.0.1", port 5432 failed: Connection refused
     # ./spec/cart_spec.rb:4:in `block (2 levels) in <top (required)>'

Finished in 0.1 seconds (files took 0.2 seconds to load)
2 examples, 1 failure

Failed examples:

rspec ./spec/cart_spec.rb:3 # Cart adds an item
""",
        "ActiveRecord::ConnectionNotEstablished:",
    ),
    "minitest": (
        """\
# Running:

E

Error:
CartTest#test_adds_item:
NameError: uninitialized constant Cart::Money
    app/models/cart.rb:4:in `total'
    test/models/cart_test.rb:6:in `block in <class:CartTest>'

bin/rails test test/models/cart_test.rb:5

1 runs, 0 assertions, 0 failures, 1 errors, 0 skips
""",
        "NameError: uninitialized constant Cart::Money",
    ),
    "mocha": (
        """\
  Cart
    1) adds an item

  0 passing (5ms)
  1 failing

  1) Cart
       adds an item:
     Error: Cannot find module './money'
     Require stack:
      at Function.Module._resolveFilename (node:internal/modules/cjs/loader:1039:15)
""",
        "Error: Cannot find module './money'",
    ),
    "jest": (
        """\
 FAIL  src/cart.test.ts
  ● Cart › adds an item

    TypeError: Cannot read properties of undefined (reading 'price')

      12 |   total() {
    > 13 |     return this.item.price
         |                      ^

      at Cart.total (src/cart.ts:13:22)
      at Object.<anonymous> (src/cart.test.ts:6:17)

Test Suites: 1 failed, 1 total
Tests:       1 failed, 1 total
""",
        "TypeError: Cannot read properties of undefined (reading 'price')",
    ),
    "vitest": (
        """\
 ❯ src/cart.test.ts (1 test | 1 failed) 5ms
   × Cart > adds an item 3ms
     → document is not defined

⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  src/cart.test.ts > Cart > adds an item
ReferenceError: document is not defined
 ❯ src/cart.ts:4:3
      2| export function mount() {
      4|   document.body.append('x')

 Test Files  1 failed (1)
      Tests  1 failed (1)
""",
        "ReferenceError: document is not defined",
    ),
    "go-assert": (
        """\
--- FAIL: TestCart (0.00s)
    cart_test.go:12: total = 3, want 4
FAIL
FAIL	example.com/shop/cart	0.003s
""",
        "FAIL: TestCart (0.00s)",
    ),
    "pytest": (
        """\
=================================== FAILURES ===================================
________________________________ test_adds_item ________________________________

    def test_adds_item(db):
>       cart = Cart.objects.create()

tests/test_cart.py:5:
E       RuntimeError: Database access not allowed, use the "django_db" mark, or the "db" or "transactional_db" fixtures to enable it.

tests/test_cart.py:5: RuntimeError
=========================== short test summary info ============================
FAILED tests/test_cart.py::test_adds_item - RuntimeError: Database access not allowed, use the "django_db" ...
============================== 1 failed in 0.12s ===============================
""",
        'RuntimeError: Database access not allowed, use the "django_db" mark, or the "db" or "transactional_db" fixtures to enable it.',
    ),
    "phpunit": (
        """\
PHPUnit 10.5.1 by Sebastian Bergmann and contributors.

E                                                                   1 / 1 (100%)

There was 1 error:

1) Tests\\Unit\\CartTest::test_adds_item
Error: Class "App\\Money" not found

/app/src/Cart.php:12
/app/tests/Unit/CartTest.php:9

ERRORS!
Tests: 1, Assertions: 0, Errors: 1.
""",
        'Error: Class "App\\Money" not found',
    ),
    "cargo": (
        """\
running 2 tests
test cart::adds ... FAILED
test cart::empty ... ok

failures:

---- cart::adds stdout ----
thread 'cart::adds' panicked at src/cart.rs:14:33:
called `Result::unwrap()` on an `Err` value: Os { code: 2, kind: NotFound, message: "No such file or directory" }
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace

failures:
    cart::adds

test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

error: test failed, to rerun pass `--lib`
""",
        'called `Result::unwrap()` on an `Err` value: Os { code: 2, kind: NotFound, message: "No such file or directory" }',
    ),
    "gradle": (
        """\
> Task :test FAILED

CartTest > addsItem() FAILED
    org.testcontainers.containers.ContainerLaunchException: Container startup failed for image postgres:16
        at org.testcontainers.containers.GenericContainer.doStart(GenericContainer.java:359)

1 test completed, 1 failed

FAILURE: Build failed with an exception.

* What went wrong:
Execution failed for task ':test'.
> There were failing tests. See the report at: file:///app/build/reports/tests/test/index.html

BUILD FAILED in 3s
""",
        "org.testcontainers.containers.ContainerLaunchException: Container startup failed for image postgres:16",
    ),
    "maven": (
        """\
[ERROR] Tests run: 1, Failures: 0, Errors: 1, Skipped: 0, Time elapsed: 0.05 s <<< FAILURE! -- in com.shop.CartTest
[ERROR] com.shop.CartTest.addsItem -- Time elapsed: 0.01 s <<< ERROR!
java.lang.IllegalStateException: Failed to load ApplicationContext
	at org.springframework.test.context.cache.DefaultCacheAwareContextLoaderDelegate.loadContext(DefaultCacheAwareContextLoaderDelegate.java:98)
Caused by: java.lang.IllegalArgumentException: Could not resolve placeholder 'shop.tax' in value "${shop.tax}"

[INFO] BUILD FAILURE
""",
        "java.lang.IllegalStateException: Failed to load ApplicationContext",
    ),
    "dotnet": (
        """\
  Failed Shop.Tests.CartTests.AddsItem [12 ms]
  Error Message:
   System.InvalidOperationException : No database provider has been configured for this DbContext.
  Stack Trace:
     at Microsoft.EntityFrameworkCore.Internal.DbContextServices.Initialize()

Failed!  - Failed:     1, Passed:     0, Skipped:     0, Total:     1, Duration: 12 ms
""",
        "System.InvalidOperationException : No database provider has been configured for this DbContext.",
    ),
    "playwright": (
        """\
Running 1 test using 1 worker

  1) [chromium] › tests/cart.spec.ts:3:5 › adds an item ───────────────

    Error: page.goto: net::ERR_CONNECTION_REFUSED at http://localhost:3000/
    Call log:
      - navigating to "http://localhost:3000/", waiting until "load"

       4 |   await page.goto('/')

  1 failed
    [chromium] › tests/cart.spec.ts:3:5 › adds an item
""",
        "Error: page.goto: net::ERR_CONNECTION_REFUSED at http://localhost:3000/",
    ),
    "terraform": (
        """\
╷
│ Error: Error acquiring the state lock
│ 
│ Error message: ConditionalCheckFailedException: The conditional request failed
│ Lock Info:
│   ID:        5c2b
╵
""",
        "Error: Error acquiring the state lock",
    ),
    "unittest": (
        """\
E
======================================================================
ERROR: test_adds (tests.test_cart.CartTest.test_adds)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/app/tests/test_cart.py", line 8, in test_adds
    cart.add()
django.core.exceptions.ImproperlyConfigured: Requested setting DATABASES, but settings are not configured.

----------------------------------------------------------------------
Ran 1 test in 0.001s

FAILED (errors=1)
""",
        "django.core.exceptions.ImproperlyConfigured: Requested setting DATABASES, but settings are not configured.",
    ),
}
"""{program: (output, its first line that says why)}"""


@pytest.mark.parametrize("program", OUTPUTS)
def test_the_message_of_an_error_comes_before_the_name_of_the_test(program):
    output, why = OUTPUTS[program]
    assert cause_lines(output)[0] == why


def test_a_test_that_compared_values_is_known_by_its_name():
    """Other tests compare the same values."""
    output = "FAILED tests/test_cart.py::test_total - AssertionError: assert 3 == 4\n=== 1 failed in 0.1s ==="
    assert cause_lines(output) == ["FAILED tests/test_cart.py::test_total - AssertionError: assert 3 == 4"]


def test_how_a_run_ended_is_said_only_if_nothing_else_is():
    assert cause_lines("ValueError: no price\n1 failed in 0.1s")[0] == "ValueError: no price"
    assert cause_lines("make: *** [test] Error 1") == ["make: *** [test] Error 1"]
