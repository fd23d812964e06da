"""Where the tokens of a session run out, what is told has to be worth them; where they do not, only what is hardly ever used goes."""

import pytest

from memorybank.config.cycle import Budgets, CycleSettings
from memorybank.cycle import policy
from memorybank.cycle.improve import patterns
from memorybank.cycle.improve.judged import Judged
from memorybank.cycle.improve.learning import propose
from memorybank.cycle.improve.price import ORIENTING, Price
from tests.cycle.recalling import Remembering, start

LIMITED = CycleSettings(budgets=Budgets(session_tokens=1_000))
RUN_OUT, PLENTY = (950,) * 20, (300,) * 20
DEAR, CHEAP = "day@prompt/-", "lesson@tool_before/file"


def shown(pattern, used, count, tokens, **fields):
    return [
        Judged(f"m:{pattern}:{number}", 1, 0.5 if number < used else 0.0, patterns=(pattern,), tokens=tokens, session=f"s{number % 20}", **fields)
        for number in range(count)
    ]


PAYING = shown(CHEAP, 160, 200, 50)
JUDGED = [*shown(DEAR, 40, 200, 300), *PAYING]
"""One is used a fourth as often as the other, for six times its tokens."""


def proposed(judged=JUDGED, settings=LIMITED, spent=RUN_OUT, exclusions=()):
    """exclusions: left out since the first version."""
    return propose(judged, policy.values_of(settings), exclusions, dict.fromkeys(exclusions, 1), settings, spent)


def test_what_brings_less_for_its_tokens_makes_room_where_they_run_out():
    found = proposed()
    assert found is not None and found.exclusions == (DEAR,)
    assert found.reasons == (
        f"{DEAR} is left out: 20% of 200 memories of this kind were used, of 300 tokens each, while sessions run out of them and a thousand bring 2.9 uses",
    )
    assert found.evidence[f"exclusions.{DEAR}"] == {"exposures": 200, "used": 0.2, "least": 0.514}


@pytest.mark.parametrize(
    ("settings", "spent"),
    [(LIMITED, PLENTY), (LIMITED, ()), (CycleSettings(), RUN_OUT)],
    ids=["tokens are left", "nothing is known of sessions", "no limit"],
)
def test_nobody_pays_where_tokens_are_not_scarce(settings, spent):
    assert proposed(settings=settings, spent=spent) is None


def shadows(pattern, used):
    return shown(pattern, used, 20, 300, shown=False, excluded=True, version=1)


def test_it_comes_back_when_its_shadows_would_be_worth_it_or_tokens_are_plenty():
    assert proposed([*shadows(DEAR, 12), *JUDGED], exclusions=(DEAR,)) is None, "of 300 tokens each, 62 % would have to be used"
    for found in (
        proposed([*shadows(DEAR, 13), *JUDGED], exclusions=(DEAR,)),
        proposed([*shadows(DEAR, 6), *JUDGED], spent=PLENTY, exclusions=(DEAR,)),
    ):
        assert found is not None and found.exclusions == ()


def test_what_it_would_take_its_shadows_say():
    """Long after it was shown last."""
    assert proposed([*shadows(DEAR, 6), *PAYING], exclusions=(DEAR,)) is None
    assert Price.of([*shadows(DEAR, 6), *PAYING], RUN_OUT, 1_000).size(DEAR) == 300


def test_it_does_not_come_back_for_the_room_that_it_made():
    """Sessions are given 720 tokens without it, and 1,020 with it."""
    assert proposed([*shadows(DEAR, 6), *JUDGED], spent=(720,) * 20, exclusions=(DEAR,)) is None


def test_the_last_session_is_left_out_for_its_price_alone():
    last = shown(ORIENTING, 0, 100, 300)
    assert proposed([*last, *PAYING], spent=PLENTY) is None
    found = proposed([*last, *PAYING])
    assert found is not None and found.exclusions == (ORIENTING,)
    found = proposed([*shadows(ORIENTING, 0), *PAYING], spent=PLENTY, exclusions=(ORIENTING,))
    assert found is not None and found.exclusions == (), "without a limit it is told whatever it is worth"


def test_a_share_is_never_asked_that_nothing_can_reach():
    price = Price.of([*JUDGED, *shown("note@prompt/-", 5, 5, 50_000)], (10_000_000,), 1)
    assert price.least("note@prompt/-") == 1.0
    assert price.size("never seen") == price.mean, "of as many tokens as any"


# what recall makes of it


@pytest.fixture
def remembering(bank, fixed_clock):
    found = Remembering(bank(), fixed_clock)
    found.summary("earlier", "Wanted: rounding of yen. Result: half up.", failures=2)
    return found


@pytest.mark.parametrize("probes", [False, True])
def test_the_start_of_a_session_leaves_out_its_last_session_but_where_it_probes(remembering, probes):
    name = next(f"session-{number}" for number in range(999) if patterns.is_probe(f"session-{number}") is probes)
    remembering.base.policy = policy.Record(policy.values_of(CycleSettings()), policy.values_of(CycleSettings()), (ORIENTING,))
    injection = remembering.ask(start(session=name))
    assert (injection is not None and "half up" in injection.text) is probes
    ((exposure,),) = [line["exposures"] for line in remembering.lines(name)]
    assert (exposure["memory"], exposure["shown"], exposure.get("excluded", False)) == ("session:earlier", probes, not probes)
    assert 15 < exposure["tokens"] < 80, "a shadow says what it would have taken"
