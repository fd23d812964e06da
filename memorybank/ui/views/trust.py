"""Shows and decides whether agents may be shown the bank, as `memorybank trust` does. Texts of others are only quoted."""

from memorybank.bank.trusting import TrustSurvey
from memorybank.errors import UsageError
from memorybank.ui.request import Answer, PageRequest, Redirect, RenderedPage
from memorybank.ui.site import Site

PATH = "/trust"
MOST_LISTED = 20
"""Maximum number of files on the page. The command lists all of them."""


def show(site: Site, request: PageRequest) -> Answer:
    """What agents would be shown, or the files that wait with what changed in them."""
    return _surveyed(site.open().trust.survey(of_trusted=False), is_outdated=False)


def accept(site: Site, request: PageRequest) -> Answer:
    """Accept exactly what the form was shown with.

    If anything that waits has changed since, nothing is accepted and the page shows what waits now (409).
    follow: `yes` or `no`; empty leaves it as it is
    """
    follow = {"yes": True, "no": False, "": None}.get(request.text("follow"), ...)
    if follow is ...:
        raise UsageError("'follow' is yes or no", next_step="use the buttons of the page")
    trust = site.open().trust
    survey = trust.survey(of_trusted=False)
    if survey.essence != request.text("survey"):
        return _surveyed(survey, is_outdated=True)
    trust.accept(follow=follow)
    return Redirect(PATH, "told.accepted")


def revoke(site: Site, request: PageRequest) -> Answer:
    site.open().trust.revoke()
    return Redirect(PATH, "told.revoked")


def _surveyed(survey: TrustSurvey, *, is_outdated: bool) -> RenderedPage:
    values = {"survey": survey, "speaks": survey.speaks[:MOST_LISTED], "more": max(0, len(survey.speaks) - MOST_LISTED), "is_outdated": is_outdated}
    return RenderedPage("trust.html", values, 409 if is_outdated else 200)
