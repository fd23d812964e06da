"""Nothing but the person's own browser, with the link that was printed, gets an answer; and no text of a note runs in it."""

import re
from html.parser import HTMLParser

import pytest

from memorybank.ui.gate import RequestHead
from memorybank.ui.markup import rendered
from memorybank.ui.views import VIEWS

from .conftest import FORM, OWN, PORT

NOTE = "---\ntitle: Alpha\n---\n# Alpha\n\nThe staging secret is CANARY.\n"
READS = sorted({view.path for view in VIEWS if view.method == "GET"})
WRITES = sorted({view.path for view in VIEWS if view.method == "POST"})

HOSTS = [
    "evil.example",
    f"evil.example:{PORT}",
    "127.0.0.1",
    "127.0.0.1:80",
    f"127.0.0.1:{PORT + 1}",
    f"127.0.0.1:{PORT}.evil.example",
    f"127.0.0.1.evil.example:{PORT}",
    f"localhost.evil.example:{PORT}",
    f"0.0.0.0:{PORT}",
    f"[::1]:{PORT}",
    f"[::]:{PORT}",
    f"192.168.1.1:{PORT}",
    f"127.0.0.2:{PORT}",
    f"2130706433:{PORT}",
    f"0x7f000001:{PORT}",
    f"user@127.0.0.1:{PORT}",
    f"127.0.0.1:{PORT}@evil.example",
    f"127.0.0.1:{PORT} evil.example",
    f"127.0.0.1:{PORT}/",
    "",
    f"LOCALHOST.:{PORT}",
    f"127.1:{PORT}",
    f"rebind.evil.example:{PORT}",
]
ORIGINS = [
    "http://evil.example",
    f"http://evil.example:{PORT}",
    "https://evil.example",
    "null",
    "",
    f"https://127.0.0.1:{PORT}",
    f"http://127.0.0.1:{PORT + 1}",
    "http://127.0.0.1",
    "http://localhost",
    f"http://localhost:{PORT}",
    f"http://127.0.0.1:{PORT}.evil.example",
    f"http://127.0.0.1.evil.example:{PORT}",
    f"http://evil.example/127.0.0.1:{PORT}",
    f"http://user@127.0.0.1:{PORT}",
    f"http://[::1]:{PORT}",
    "file://",
    "chrome-extension://abcdef",
    f"ws://127.0.0.1:{PORT}",
    f"http://127.0.0.1:{PORT}/",
    f"http://127.0.0.1:{PORT} http://evil.example",
    "data:text/html,x",
]
STEPS = ["..", "%2e%2e", "..%2f", "....//", "..\\", "%252e%252e", "．．", "..;"]
TARGETS = ["/etc/passwd", "etc/passwd", "config/x.json", "log/access.jsonl", "summary.md", "bookmarks.json", "cache/bank.sqlite3", "secret.md"]
TRAVERSALS = [
    *(f"{step}/{target}" for step in STEPS for target in TARGETS[:6]),
    "/etc/passwd",
    "//etc/passwd",
    "file:///etc/passwd",
    "~/.ssh/id_rsa",
    "C:\\secret.md",
    "planning/../../secret.md",
    "planning/../../../../../etc/passwd",
    "./../secret.md",
    "active/../../secret.md",
    ".claude/memory/../../secret.md",
    "planning/a.md/../../../secret.md",
    "a" * 5000,
    "planning/\n.md",
    "planning/\u202e.md",
    "..",
    ".",
    "/",
]


@pytest.fixture
def scratch(bank):
    made = bank({"planning/a.md": NOTE})
    for name in ("secret.md", "secret.md.png", ".claude/memory/config/x.json.png", ".claude/memory/summary.md.png"):
        (made.repository / name).parent.mkdir(parents=True, exist_ok=True)
        (made.repository / name).write_bytes(b"\x89PNG\r\n\x1a\nCANARY outside")
    return made


@pytest.mark.parametrize("host", HOSTS)
def test_another_name_for_this_machine_is_refused(serve, scratch, host):
    """DNS rebinding: the browser believes that evil.example is this machine, and sends its name."""
    page = serve(scratch)
    for path in ("/", "/note?key=planning/a.md", "/static/page.js"):
        answer = page.ask("GET", path, [("host", host), ("cookie", page.cookies)])
        assert answer.status == 421 and "CANARY" not in answer.text and "Alpha" not in answer.text


def test_two_hosts_are_none(serve, scratch):
    page = serve(scratch)
    assert page.ask("GET", "/", [*OWN, ("host", "evil.example"), ("cookie", page.cookies)]).status == 421
    assert page.ask("GET", "/", [("cookie", page.cookies)]).status == 421


@pytest.mark.every_case
@pytest.mark.parametrize("path", [*READS, "/login", "/nowhere", "/language/ja"])
def test_without_the_cookie_nothing_is_told(serve, scratch, path):
    page = serve(scratch)
    wrong = [
        "",
        "mb_8765=",
        "mb_8765=wrong",
        f"mb_{PORT}=" + "A" * 43,
        page.cookies.replace(f"mb_{PORT}", "mb_1"),
        f"{page.cookies}; mb_{PORT}=x",
        f"mb_{PORT}=x; {page.cookies}",
        page.cookies + "x",
    ]
    for cookie in wrong:
        answer = page.ask("GET", path + "?key=planning/a.md", [*OWN, *([("cookie", cookie)] if cookie else [])])
        assert answer.status in (401, 405), (cookie, answer.status)
        assert "CANARY" not in answer.text and "Alpha" not in answer.text


@pytest.mark.parametrize("path", [*WRITES, "/login"])
@pytest.mark.parametrize("origin", ORIGINS)
def test_a_form_of_another_page_is_refused(serve, scratch, path, origin):
    """Even with the cookie and the right key: a foreign origin is a foreign page. What a browser says of the site counts, too."""
    page = serve(scratch)
    before = scratch.snapshot()
    body = f"form_key={page.gate.form_key(path)}&key=planning%2Fa.md&rating=9&lookback=2w&token={page.gate.token}".encode()
    for fetch in ([], [("sec-fetch-site", "same-origin")], [("sec-fetch-site", "cross-site")], [("sec-fetch-site", "same-site")]):
        answer = page.ask("POST", path, [("host", f"127.0.0.1:{PORT}"), *fetch, ("origin", origin), ("cookie", page.cookies), FORM], body)
        assert answer.status == 403 and "set-cookie" not in answer.headers
    assert scratch.snapshot() == before and page.updates.started == 0


@pytest.mark.parametrize("site", ["cross-site", "same-site", "none", "SAME-ORIGIN", ""])
def test_a_write_must_be_known_to_come_from_this_page(serve, scratch, site):
    page = serve(scratch)
    body = f"form_key={page.gate.form_key('/note/rate')}&key=planning%2Fa.md&rating=9".encode()
    head = [("host", f"127.0.0.1:{PORT}"), ("cookie", page.cookies), FORM]
    assert page.ask("POST", "/note/rate", [*head, ("sec-fetch-site", site)], body).status == 403
    assert page.ask("POST", "/note/rate", [*head, ("sec-fetch-site", site), ("origin", f"http://127.0.0.1:{PORT}")], body).status == 403
    assert page.ask("POST", "/note/rate", head, body).status == 403
    assert page.ask("POST", "/note/rate", [*head, ("origin", f"http://127.0.0.1:{PORT}")], body).status == 303


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_another_page_cannot_load_parts_of_this_one(serve, scratch, site):
    """As a frame, a script, a picture or by fetch; a link that a person follows is a person's."""
    page = serve(scratch)
    head = [("host", f"127.0.0.1:{PORT}"), ("cookie", page.cookies), ("sec-fetch-site", site)]
    for mode, target in (("no-cors", "script"), ("no-cors", "image"), ("cors", "empty"), ("navigate", "iframe"), ("navigate", "object"), ("navigate", "embed")):
        assert page.ask("GET", "/", [*head, ("sec-fetch-mode", mode), ("sec-fetch-dest", target)]).status == 403
    assert page.ask("GET", "/", [*head, ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document")]).status == 200


@pytest.mark.every_case
@pytest.mark.parametrize("path", WRITES)
def test_a_form_needs_its_own_key(serve, scratch, path):
    page = serve(scratch)
    before = scratch.snapshot()
    other = next(each for each in WRITES if each != path)
    for key in ("", "0" * 64, page.gate.form_key(other), page.gate.form_key(path).upper(), page.gate.form_key(path)[:-1]):
        answer = page.ask("POST", path, [*OWN, ("cookie", page.cookies), FORM], f"form_key={key}&key=planning%2Fa.md&rating=9&lookback=2w".encode())
        assert answer.status == 403
    assert scratch.snapshot() == before and page.updates.started == 0


@pytest.mark.slow
@pytest.mark.parametrize("path", WRITES)
def test_a_page_that_only_shows_changes_nothing(serve, scratch, path):
    """Whatever is sent to it: not one byte or date below the bank, not even by reading."""
    page = serve(scratch, allow_write=False)
    before = scratch.snapshot()
    assert page.post(path, key="planning/a.md", rating="9", lookback="2w", plan="x", id="x", version="0").status == 403
    for read in READS:
        page.get(read, key="planning/a.md", q="staging")
    assert scratch.snapshot() == before and page.updates.started == 0


@pytest.mark.parametrize("path", [path for path in READS if path not in ("/language",)])
def test_a_read_changes_nothing_that_is_truth(serve, scratch, path):
    """Also where the page may write: a GET may record a view and refresh caches; it changes no note, no setting, no archive."""
    page = serve(scratch)
    before = {name: value for name, value in scratch.snapshot().items() if name.startswith(("active", "config", "archive", "bookmarks", "episodes"))}
    page.get(path, key="planning/a.md", q="staging", rating="9", version="0", form_key=page.gate.form_key("/note/rate"))
    assert {name: value for name, value in scratch.snapshot().items() if name.startswith(("active", "config", "archive", "bookmarks", "episodes"))} == before


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "get", "PROPFIND"])
def test_other_methods_are_refused(serve, scratch, method):
    page = serve(scratch)
    assert page.ask(method, "/note/rate", [*OWN, ("cookie", page.cookies), FORM]).status in (403, 405)
    refused = page.gate.refuse(RequestHead(method, "/note/rate", [*OWN, ("cookie", page.cookies), FORM]), is_open=False)
    assert refused is not None and refused.status == 405, "before the routes are asked"


@pytest.mark.parametrize("header", ["x-http-method-override", "x-http-method", "x-method-override", "x-original-method"])
def test_a_read_stays_a_read_whatever_it_calls_itself(serve, scratch, header):
    page = serve(scratch)
    before = scratch.snapshot("active")
    target = f"/note/rate?key=planning/a.md&rating=9&_method=POST&form_key={page.gate.form_key('/note/rate')}"
    for method in ("GET", "HEAD"):
        assert page.ask(method, target, [*OWN, ("cookie", page.cookies), (header, "POST"), FORM]).status == 405
    assert scratch.snapshot("active") == before


@pytest.mark.parametrize("path", READS)
def test_the_head_of_a_page_tells_no_more_than_the_page(serve, scratch, path):
    page = serve(scratch)
    assert page.ask("HEAD", path, OWN).status == 401
    assert page.ask("HEAD", path, [("host", "evil.example"), ("cookie", page.cookies)]).status == 421
    assert page.ask("HEAD", path, [*OWN, ("cookie", page.cookies)]).status == page.get(path).status


@pytest.mark.parametrize(("message", "status"), [(None, 408), ({"type": "http.disconnect"}, 400)])
def test_a_form_that_does_not_come_to_its_end_changes_nothing(serve, scratch, monkeypatch, message, status):
    """A client that is slow on purpose gets an error after a while; one that disconnects leaves no trace in the terminal."""
    from memorybank.ui import app

    monkeypatch.setattr(app, "FORM_SECONDS", 0.01)
    page = serve(scratch)
    half = f"form_key={page.gate.form_key('/note/rate')}&key=planning%2Fa.md&rating=9".encode()
    before = scratch.snapshot("active")
    assert page.ask("POST", "/note/rate", [*OWN, ("cookie", page.cookies), FORM], half, then=message).status == status
    assert scratch.snapshot("active") == before


def test_only_a_form_of_a_form_s_size_is_read(serve, scratch):
    page = serve(scratch)
    head = [*OWN, ("cookie", page.cookies)]
    assert page.ask("POST", "/note/rate", [*head, ("content-type", "application/json")], b"{}").status == 415
    assert page.ask("POST", "/note/rate", [*head, ("content-type", "multipart/form-data; boundary=x")], b"--x--").status == 415
    assert page.ask("POST", "/note/rate", head, b"a=b").status == 415
    assert page.ask("POST", "/note/rate", [*head, FORM, ("content-length", "99999999999")], b"a=b").status == 413
    assert page.ask("POST", "/note/rate", [*head, FORM, ("content-length", "-1")], b"a=b").status == 413
    for size, status in (("65536", 403), ("65537", 413)):  # by what it announces; the form itself is small and lacks the key
        assert page.ask("POST", "/note/rate", [*head, FORM, ("content-length", size)], b"a=b").status == status
    assert page.ask("POST", "/note/rate", [*head, FORM], b"a=" + b"b" * 70_000).status == 413
    assert page.ask("POST", "/note/rate", [*head, FORM], b"&".join(b"a%d=b" % number for number in range(900))).status == 400
    assert page.ask("POST", "/note/rate", [*head, FORM], b"key=%ff%fe").status == 400
    assert page.ask("POST", "/note/rate", [*head, FORM], b"key=a%00b").status == 400
    assert page.get("/note?key=%00").status == 400


@pytest.mark.slow
@pytest.mark.parametrize("written", TRAVERSALS)
def test_no_name_leads_out_of_the_bank(serve, scratch, written):
    """Names are looked up, never joined to a folder."""
    page = serve(scratch)
    before = scratch.snapshot("active")
    answers = [
        page.get("/note", key=written),
        page.get("/note/picture", name=written + ".png"),
        page.get("/archive/object", id=written),
        page.get("/episodes", episode=written),
        page.get("/sessions/one", session=written),
        page.get("/note/recall", key=written, q="staging"),
        page.get("/note/history", key=written),
        page.get("/note/history", key="planning/a.md", version=written),
        page.get("/note/history", key="planning/a.md", version=f"commit:{'0' * 40}:{written}"),
        page.get("/note/edit", key=written),
        page.get("/knowledge", id=written),
        page.get("/static/" + written.replace("?", "")),
        page.get("/language/" + written.replace("?", "")),
        page.post("/archive/restore", id=written),
        page.post("/rotation/undo", rotation=written),
        page.post("/note/rate", key=written, rating="5"),
        page.post("/note/bookmark", key=written),
        page.post("/note/edit", key=written, text="x", before="x", do="save"),
        page.post("/note/undo", change=written),
        page.post("/conflicts/keep", id=written),
        page.post("/knowledge/edit", id=written, text="x"),
        page.post("/tick", id=f"note:{written}", verdict="helpful"),
    ]
    for answer in answers:
        assert answer.status in (303, 400, 401, 403, 404, 405, 409) and answer.status != 500, (written, answer.status)
        assert "CANARY" not in answer.text and "root:" not in answer.text
    assert scratch.snapshot("active") == before


def test_a_picture_is_one_by_its_bytes_and_lies_in_the_bank(serve, scratch):
    """Whatever its name says; no link is followed; and it is sent as what it is, to this page alone."""
    png = b"\x89PNG\r\n\x1a\n....CANARY"
    folder = scratch.active / "planning/図"
    folder.mkdir()
    for name, data in {"a.png": png, "b.JPG": b"\xff\xd8\xff..", "c.webp": b"RIFF....WEBP", "d.gif": b"GIF89a"}.items():
        (folder / name).write_bytes(data)
    for name, data in {"page.png": b"<html><script>alert(1)</script>", "e.svg": b"<svg onload=alert(1)>", "empty.png": b"", "note.md": png}.items():
        (folder / name).write_bytes(data)
    (folder / "out.png").symlink_to(scratch.repository / "secret.md.png")
    (scratch.active / "linked").symlink_to(scratch.repository)
    (folder / "folder.png").mkdir()
    page = serve(scratch)
    kinds = {name: page.get("/note/picture", name=f"planning/図/{name}") for name in ("a.png", "b.JPG", "c.webp", "d.gif")}
    assert [kind.headers["content-type"] for kind in kinds.values()] == ["image/png", "image/jpeg", "image/webp", "image/gif"]
    assert kinds["a.png"].body == png and kinds["a.png"].headers["x-content-type-options"] == "nosniff"
    for name in ("page.png", "e.svg", "empty.png", "note.md", "out.png", "folder.png", "none.png", "./a.png", "../図/a.png"):
        assert page.get("/note/picture", name=f"planning/図/{name}").status == 404, name
    for path in ("linked/secret.md.png", "", "/", "planning/図", "planning/図/", "planning//図/a.png", "a.png\n"):
        assert page.get("/note/picture", name=path).status == 404, path


def test_every_answer_carries_the_policy(serve, scratch):
    page = serve(scratch)
    for answer in (page.get("/"), page.get("/nowhere"), page.get("/static/page.js"), page.ask("GET", "/", [("host", "x")]), page.ask("GET", "/", OWN)):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy and "script-src 'self'" in policy and "frame-ancestors 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff" and answer.headers["referrer-policy"] == "same-origin"
        assert "access-control-allow-origin" not in answer.headers
    assert page.get("/").headers["cache-control"] == "no-store"


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(serve, scratch):
    page = serve(scratch)
    answer = page.ask("POST", "/login", [*OWN, FORM], f"token={page.gate.token}".encode())
    assert (
        answer.headers["set-cookie"].startswith(f"mb_{PORT}=")
        and "HttpOnly" in answer.headers["set-cookie"]
        and "SameSite=Strict" in answer.headers["set-cookie"]
    )
    assert page.gate.token not in answer.headers["set-cookie"]
    for wrong in ("", "x", page.gate.token[:-1], page.gate.token + "x", "トークン"):
        refused = page.ask("POST", "/login", [*OWN, FORM], f"token={wrong}".encode())
        assert refused.status in (400, 403) and "set-cookie" not in refused.headers


def test_the_cookie_is_sent_to_no_other_port(serve, scratch):
    """Browsers send cookies to every port of a host, so also to what another user of this machine serves: this one counts below a secret folder."""
    page = serve(scratch)
    answer = page.ask("POST", "/login", [*OWN, FORM], f"token={page.gate.token}".encode(), inside=False)
    folder = re.search(r"; Path=(/[\w-]{22,})/;", answer.headers["set-cookie"])[1]
    assert answer.headers["location"] == folder + "/"
    head = [*OWN, ("cookie", page.cookies)]
    for path in ("/", "/note", "/health", folder, folder[:-1] + "/", folder + "x/", "/x" + folder + "/", f"/{folder}/", folder.swapcase() + "/"):
        refused = page.ask("GET", path + "?key=planning/a.md", head, inside=False)
        assert refused.status == 401 and folder not in refused.text and "CANARY" not in refused.text, path
    assert page.ask("GET", folder + "/", head, inside=False).status == 200
    assert page.ask("GET", folder + "/", OWN, inside=False).status == 401


def test_two_pages_of_one_machine_do_not_share_a_login(serve, scratch, bank):
    one, other = serve(scratch), serve(bank({"planning/b.md": NOTE}))
    assert one.gate.folder != other.gate.folder
    assert other.ask("GET", "/", [*OWN, ("cookie", one.cookies)]).status == 401


def test_a_language_leads_to_no_other_site(serve, scratch):
    page = serve(scratch)
    for back in ("//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)", "/nowhere", "\r\nx: y"):
        assert page.get("/language/ja", back=back).headers["location"] == "/"
    assert page.get("/language/ja", back="/rotation").headers["location"] == "/rotation"
    assert page.get("/language/ja", back="/rotation/run?x=y").headers["location"] == "/rotation"


PAYLOADS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<iframe src=javascript:alert(1)>",
    "<a href='javascript:alert(1)'>x</a>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java\tscript:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](data:text/html,<script>alert(1)</script>)",
    "[x](vbscript:msgbox)",
    "![x](javascript:alert(1))",
    "![x](https://evil.example/pixel.png)",
    "![x](//evil.example/pixel.png)",
    "![x](/static/icon.svg)",
    "<img src=a.png srcset='//evil.example/a.png 2x' onload=alert(1)>",
    "[[javascript:alert(1)]]",
    "[[//evil.example]]",
    "[[<img src=x onerror=alert(1)>|x]]",
    "<body onload=alert(1)>",
    "<input autofocus onfocus=alert(1)>",
    "<details open ontoggle=alert(1)>",
    "<style>*{display:none}</style>",
    "<link rel=stylesheet href=//evil.example>",
    "<base href=//evil.example>",
    "<meta http-equiv=refresh content='0;url=//evil.example'>",
    "<form action=//evil.example><button>x</button></form>",
    "<object data=x></object>",
    "<embed src=x>",
    "<math><mi xlink:href='javascript:alert(1)'>",
    "<video><source onerror=alert(1)>",
    "<div style='background:url(javascript:x)'>x",
    "<p onclick=alert(1)>x",
    "<div hx-get='/x' hx-trigger=load>x</div>",
    "<a href='x' hx-post='/rotation/run'>x</a>",
    "<div data-hx-get='/x'>x</div>",
    "<marquee onstart=alert(1)>",
    "<template><script>alert(1)</script></template>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<textarea><script>alert(1)</script>",
    "<!--<img src=x onerror=alert(1)>-->",
    "<![CDATA[<script>alert(1)</script>]]>",
    "`<script>`<script>alert(1)</script>",
    '<a href="//evil.example">x</a>',
    "</main></body><script>alert(1)</script>",
    "{{ 7*7 }}{% import os %}",
    "<button formaction=javascript:alert(1)>x",
    "<a id=login name=token href=#>x</a>",
    "<ſcript>alert(1)</ſcript>",
    '"><script>alert(1)</script>',
    "'-alert(1)-'",
    "<input type=image src=x onerror=alert(1)>",
    "<input type=submit form=login>",
]
FORBIDDEN = {
    "script",
    "style",
    "iframe",
    "object",
    "embed",
    "svg",
    "math",
    "form",
    "button",
    "link",
    "meta",
    "base",
    "video",
    "audio",
    "source",
    "picture",
    "template",
    "textarea",
    "select",
}
ALLOWED = {"input": {"type", "checked", "disabled"}, "a": {"href", "title", "rel"}, "ol": {"start"}, "img": {"src", "alt", "title", "loading"}}


class Elements(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


@pytest.mark.every_case
@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_note_can_show_everything_and_do_nothing(payload):
    """Elements and attributes of a list; links to the web, to notes, or nowhere."""
    for text in (payload, f"# {payload}", f"- {payload}\n- x", f"> {payload}", f"|a|\n|-|\n|{payload}|", f"text {payload} 日本語"):
        for tag, attributes in Elements(rendered(text, "planning/a.md")).found:
            assert tag not in FORBIDDEN, text
            assert set(attributes) <= ALLOWED.get(tag, set()), (text, tag, attributes)
            target = attributes.get("href")
            assert target is None or re.match(r"(https?://|mailto:|/note\?key=)", target), (text, target)
            assert tag != "input" or attributes.get("type") == "checkbox"
            assert re.match(r"/note/picture\?name=[^:]*$", attributes.get("src") or "/note/picture?name="), (text, attributes)


@pytest.mark.slow
@pytest.mark.parametrize("payload", PAYLOADS)
def test_no_text_of_a_bank_or_a_query_becomes_an_element(serve, bank, payload):
    """As title, tag, folder of a note, in a snippet, a query, an error: on every view."""
    title = payload.replace("\\", "").replace('"', '\\"').replace("\t", " ")
    scratch = bank({"planning/a.md": f'---\ntitle: "{title}"\ntags: ["{title}"]\n---\n# h\n\nstaging {payload} staging\n'}, days_old=90)
    page = serve(scratch)
    known = set()
    for answer in (page.get("/"), page.get("/note", key="planning/a.md"), page.get("/rotation")):
        assert answer.status == 200
        known |= {tag for tag, _ in Elements(answer.text).found}
    asked = [
        page.get("/notes", q="staging"),
        page.get("/notes", q=payload),
        page.get("/notes", q=payload, type="content"),
        page.get("/note", key=payload),
        page.get("/archive", q=payload),
    ]
    asked += [
        page.get("/recall", q=payload),
        page.get("/", told="told.rated", detail=payload),
        page.get("/notes", category=payload, tag=payload, since=payload),
    ]
    asked += [page.get("/note/recall", key="planning/a.md", q=payload), page.get("/note/history", key="planning/a.md", version=payload)]
    asked += [
        page.get("/sessions/one", session=payload),
        page.get("/knowledge", kind=payload),
        page.get("/knowledge", id=payload),
        page.get("/notes", sort=payload),
    ]
    for answer in asked:
        found = Elements(answer.text).found
        scripts = [attributes.get("src") for tag, attributes in found if tag == "script"]
        assert scripts == ["/static/htmx.min.js", "/static/page.js"]
        assert not [tag for tag, _ in found if tag in ("iframe", "object", "embed", "img", "base", "style", "marquee", "video", "math", "template", "textarea")]
        assert not [name for _, attributes in found for name in attributes if name.startswith("on") or name in ("style", "srcdoc", "formaction")]
        assert not [attributes for tag, attributes in found if tag == "a" and re.match(r"(?i)\s*(javascript|data|vbscript):|//", attributes.get("href") or "")]
        assert not [
            attributes for tag, attributes in found if tag != "form" and any(name.startswith(("hx-", "data-hx")) for name in attributes) and tag != "div"
        ]
