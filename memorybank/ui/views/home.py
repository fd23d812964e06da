"""The first page: what agents were reminded of this week and whether it helped, what was learned, and what needs a person."""

from memorybank.cycle.recall.outcomes import GOOD
from memorybank.doctor import problems
from memorybank.ui.request import Answer, PageRequest, RenderedPage
from memorybank.ui.site import Site

MOST_REMINDED, MOST_LEARNED, MOST_CONFLICTS, MOST_SUPPRESSED = 5, 4, 3, 3


def show(site: Site, request: PageRequest) -> Answer:
    """The last seven days, and the things that wait for a decision."""
    bank = site.open()
    with bank.at_once(is_thorough=False):
        week, needed = bank.activity.week(), bank.attention.needed()
        notes = bank.catalogue.notes(limit=0).total
        suppressed = needed.suppressed[:MOST_SUPPRESSED]
        titles = bank.activity.titles([each.what for each in suppressed if "@" not in each.what])
        has_sessions = bool(week.sessions) or bank.activity.sessions(limit=0)[1] > 0
    values = {
        "week": week,
        "good": GOOD,
        "reminded": week.memories[:MOST_REMINDED],
        "learned": week.learned[:MOST_LEARNED],
        "needed": needed,
        "conflicts": needed.conflicts[:MOST_CONFLICTS],
        "suppressed": suppressed,
        "problems": problems.summary(needed.problems),
        "titles": titles,
        "notes": notes,
        "has_sessions": has_sessions,
    }
    return RenderedPage("home.html", values)
