"""What a person does with the page, in a real browser."""

import re

import pytest

TABS = ("/", "/overview", "/links", "/rotation", "/archive", "/memory", "/policy", "/recall")


def path(tab) -> str:
    return re.sub(r"https?://[^/]+", "", tab.url)


def no_wider_than_its_window(tab) -> bool:
    return tab.evaluate("document.documentElement.scrollWidth <= window.innerWidth + 1")


@pytest.mark.parametrize(
    ("name", "options"), [("light", {}), ("dark", {"dark": True}), ("narrow", {"width": 400, "height": 800}), ("ja", {"language": "ja-JP"})]
)
def test_every_tab_shows_itself(town_of, visit, picture, name, options):
    """Light, dark, 400 pixels wide, Japanese: no error, nothing wider than the window, the tab says where one is."""
    tab = visit(town_of(), **options)
    for number, each in enumerate(TABS):
        tab.click(f'header nav a[href="{each}"]')
        tab.wait_for_load_state()
        assert tab.locator("header nav a[aria-current]").get_attribute("href") == each
        assert no_wider_than_its_window(tab), each
        picture(tab, f"{name}-{number}{each.replace('/', '-')}")
    tab.goto(tab.url.partition("/recall")[0] + "/note?key=implementation/uploads.md")
    assert no_wider_than_its_window(tab)
    picture(tab, f"{name}-8-note")
