"""docs/doctor.md says what the code says."""

import importlib.util
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_of_checks_is_what_the_code_says():
    spec = importlib.util.spec_from_file_location("doctor_page", ROOT / "scripts" / "doctor_page.py")
    assert spec and spec.loader
    writer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(writer)
    assert writer.page() == writer.PAGE.read_text(encoding="utf-8"), "run python scripts/doctor_page.py"
