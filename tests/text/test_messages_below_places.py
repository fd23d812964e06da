"""The line that says what is wrong is the message, not the place above it, nor the sentence that the build failed."""

import pytest

from memorybank.cycle.fold.wording import error_line
from memorybank.text.commands.error_excerpt import error_excerpt_lines, is_about_code

NEXT = """Failed to compile.

./components/cart/Basket.tsx:103:29
Type error: Property 'unitPrice' does not exist on type 'Line'.

> 103 |   const price = line.unitPrice
Next.js build worker exited with code: 1 and signal: null"""
MODULE = """ Build error occurred
Error: Turbopack build failed with 1 errors:
./lib/print/Labels.ts:1:1
Module not found: Can't resolve 'bwip-js'"""
JAPANESE = """   型を確認しています  .Failed to compile.

./app/zaiko/page.tsx:12:7
Type error: モジュール '@/lib/zaiko' または対応する型宣言が見つかりません。"""
CSHARP = r"""[1/3] Building
D:\shop new\tools\Map\Rows.cs(275,38): error CS0246: The type or namespace name 'OldRow' could not be found
ERROR: Build failed!"""
MIGRATION = """      System.Data.SqlException (0x80131904): Cannot open database "shop" requested by the login.
✗ Migration completed with errors. Check the report for details."""
RAZOR = """/Users/mio/Projects/harbour/src/Harbour.Web/Features/Tides/Step.razor(65,13): error RZ9996: Unrecognized child content inside component 'TideCard'. \
[/Users/mio/Projects/harbour/src/Harbour.Web/Harbour.Web.csproj]
Build FAILED."""
DOTNET = """Build succeeded.
    0 Warning(s)
    0 Error(s)
Passed!  - Failed:     0, Passed:    12, Skipped:     0, Total:    12, Duration: 33 ms - Harbour.Domain.Tests.dll (net10.0)
  Failed Harbour.Tests.TideTests.Lists [1 s]
  Error Message:
   System.NotSupportedException : SQLite does not support 'DateTimeOffset' in ORDER BY.
Failed!  - Failed:     1, Passed:    41, Skipped:     0, Total:    42, Duration: 3 s - Harbour.Tests.dll (net10.0)"""
NPM = r"""npm error code ENOENT
npm error syscall open
npm error enoent Could not read package.json: Error: ENOENT: no such file or directory, open 'D:\shop new\package.json'
npm error enoent This is related to npm not being able to find a file."""


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (NEXT, "./components/cart/Basket.tsx:103:29 Type error: Property 'unitPrice' does not exist on type 'Line'."),
        (MODULE, "./lib/print/Labels.ts:1:1 Module not found: Can't resolve 'bwip-js'"),
        (JAPANESE, "./app/zaiko/page.tsx:12:7 Type error: モジュール '@/lib/zaiko' または対応する型宣言が見つかりません。"),
        (CSHARP, r"D:\shop new\tools\Map\Rows.cs(275,38): error CS0246: The type or namespace name 'OldRow' could not be found"),
        (RAZOR, "Step.razor(65,13): error RZ9996: Unrecognized child content inside component 'TideCard'."),
        (DOTNET, "System.NotSupportedException : SQLite does not support 'DateTimeOffset' in ORDER BY."),
        (MIGRATION, 'System.Data.SqlException (0x80131904): Cannot open database "shop" requested by the login.'),
        ("Error printing labels: Error: EACCES: permission denied, open 'a.afm'", "Error printing labels: Error: EACCES: permission denied, open 'a.afm'"),
        (r"spawn c:\tools\node_modules\rg.exe ENOENT", r"spawn c:\tools\node_modules\rg.exe ENOENT"),
        (r"Search failed: rg: web\nul: Incorrect function. (os error 1)", r"Search failed: rg: web\nul: Incorrect function. (os error 1)"),
        (r"error: one\nerror: two", "error: one · error: two"),
    ],
    ids=["next", "module", "japanese", "csharp", "razor", "dotnet test", "migration", "chain", "windows path", "windows device", "escaped"],
)
def test_the_message_is_the_line(error, line):
    assert error_line(error) == line


def test_of_npm_it_is_the_message_and_not_its_code():
    assert error_line(NPM).startswith("npm error enoent Could not read package.json")


@pytest.mark.parametrize("error", [NEXT, MODULE, JAPANESE, CSHARP])
def test_a_message_with_its_place_is_about_code(error):
    assert is_about_code(error)


@pytest.mark.parametrize("error", ["Failed to compile.", "ERROR: Build failed!", "npm error"])
def test_where_nothing_else_is_said_the_verdict_is_the_line(error):
    assert error_excerpt_lines(error) == [error]
