"""Write the table of docs/doctor.md from the table of checks.

python scripts/doctor_page.py            rewrite the page between its markers
python scripts/doctor_page.py --check    end with exit code 1 if the page differs from the code
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from memorybank.doctor.finding import Check
from memorybank.doctor.table import CHECKS

PAGE = Path(__file__).resolve().parents[1] / "docs" / "doctor.md"
BEGIN, END = "<!-- written by scripts/doctor_page.py -->", "<!-- end of what scripts/doctor_page.py writes -->"


def page() -> str:
    """Return the complete text of the page, with the generated part as the code has it now."""
    head, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, _, tail = rest.partition(END)
    rows = ["| check | right when | needs | `--fix` |", "| --- | --- | --- | --- |", *map(_row, CHECKS)]
    return f"{head}{BEGIN}\n\n" + "\n".join(rows) + f"\n\n{END}{tail}"


def _row(check: Check) -> str:
    asks = ", after a question" if check.fix and check.fix.question else ""
    fix = f"`{check.fix.id}`: {check.fix.does}{asks}" if check.fix else ""
    return f"| `{check.id}`{' (quick)' if check.quick else ''} | {check.title} | {check.needs} | {fix} |"


if __name__ == "__main__":
    text = page()
    if "--check" in sys.argv:
        sys.exit(0 if text == PAGE.read_text(encoding="utf-8") else "docs/doctor.md is not what the code says: python scripts/doctor_page.py")
    PAGE.write_text(text, encoding="utf-8")
    print("docs/doctor.md rewritten")
