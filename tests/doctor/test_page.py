"""docs/doctor.md says what the code says."""

from tests.scripts import loaded


def test_the_page_of_checks_is_what_the_code_says():
    writer = loaded("doctor_page.py")
    assert writer.page() == writer.PAGE.read_text(encoding="utf-8"), "run python scripts/doctor_page.py"
