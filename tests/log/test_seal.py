"""What seal makes of a line before it is written: everything redacted first, then cut."""

from memorybank.log.seal import seal

KEY = b"k" * 32
TOKEN = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"


def test_every_text_is_redacted_wherever_it_is_in_the_line():
    line = {
        "event": "tool_after", "inputs": {"command": f"curl -H 'Authorization: token {TOKEN}'"}, "outputs": {"text": f"使った鍵は {TOKEN} です"},
        "error": f"401 for {TOKEN}", "lessons": [f"never use {TOKEN}"], "anchors": [f"file:{TOKEN}"], "tool": TOKEN,
    }  # fmt: skip
    assert TOKEN not in str(seal(line, KEY, 2_000))


def test_a_member_that_is_called_password_is_one_whatever_it_looks_like():
    sealed = seal({"event": "tool_after", "inputs": {"password": "tulip-tower", "note": "tulip-tower"}}, KEY, 2_000)
    assert sealed["inputs"]["password"].startswith("[REDACTED:") and sealed["inputs"]["note"] == "tulip-tower"


def test_a_secret_across_the_cut_leaves_no_half_of_itself():
    """The cut must not leave half a token, which no rule would recognise."""
    for before in range(960, 1_001, 4):
        text = "あ" * before + " " + TOKEN + " " + "い" * 5_000
        sealed = seal({"event": "tool_after", "inputs": {}, "outputs": {"text": text}, "error": text}, KEY, 2_000)
        stored = str((sealed["outputs"], sealed["error"]))
        assert TOKEN[:8] not in stored and "い" in stored


def test_the_end_of_a_long_text_is_kept():
    sealed = seal({"event": "tool_after", "inputs": {}, "outputs": {"text": "始め\n" + "x\n" * 5_000 + "終わり"}}, KEY, 2_000)
    assert sealed["outputs"]["head"].startswith("始め") and sealed["outputs"]["tail"].endswith("終わり")
