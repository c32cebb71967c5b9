"""When an absence ends a game: limits, scopes, logs, server faults, and what every shipped policy does."""

import pytest

from bgcore import adjudication as adj
from bgcore.adjudication.explain.texts import text
from tests.adjudication_records import money_record

BOTH = {"white": {"away": True, "seconds": 200}, "black": {"away": True, "seconds": 200}, "cause": "player"}


def gone(seconds, used_before=0, **rest):
    return {"white": {"away": True, "seconds": seconds, "used_before": used_before, **rest}, "black": {"away": False}}


def status(absence, policy="play65", **changes):
    return adj.adjudicate(money_record(absence=absence, **changes), policy).status


@pytest.mark.parametrize(
    ("seconds", "used", "policy", "expected"),
    [
        (179.9, 0, "play65", "resume"),
        (180.0, 0, "play65", "resume"),
        ("180.000", 0, "play65", "resume"),
        (180.001, 0, "play65", "settled"),
        (180, 500, "play65", "resume"),
        (25, 95, "portal_m2p", "resume"),
        (25.001, 95, "portal_m2p", "settled"),
        (25.1, 95, {"name": "portal_m2p", "grace_scope": "per_round"}, "settled"),
        (25.1, 95, {"name": "portal_m2p", "grace_scope": "per_absence"}, "resume"),
        (10**6, 0, "resume_only", "resume"),
    ],
)
def test_limits_are_inclusive(seconds, used, policy, expected):
    assert status(gone(seconds, used), policy) == expected


def test_the_clock_can_be_the_time_to_come_back():
    assert status(gone(250, clock_left=300), "truemoneygames") == "resume"
    assert status(gone(250, clock_left=200), "truemoneygames") == "settled"
    assert status(gone(301), "truemoneygames") == "settled"


def test_as_long_as_one_can_come_back_nothing_is_settled():
    verdict = adj.adjudicate(money_record(absence={**BOTH, "black": {"away": True, "seconds": 30}}))
    assert (verdict.status, verdict.reasons) == ("resume", ("BLACK_MAY_RETURN_150S",))


@pytest.mark.parametrize(
    ("policy", "one", "both", "server"),
    [
        ("play65", ("settled", "exact"), ("settled", "exact"), "refunded"),
        ("truemoneygames", ("settled", "exact+rule"), ("settled", "exact"), "refunded"),
        ("gamesgrid_amr", ("resume", "rule"), ("resume", "rule"), "resume"),
        ("portal_m2p", ("settled", "rule"), ("refunded", "rule"), "refunded"),
        ("forfeit", ("settled", "rule"), ("refunded", "rule"), "refunded"),
        ("refund", ("refunded", "rule"), ("refunded", "rule"), "refunded"),
        ("resume_only", ("resume", "rule"), ("resume", "rule"), "resume"),
        ("claim", ("undecided", "rule"), ("refunded", "rule"), "refunded"),
    ],
)
def test_every_shipped_policy(policy, one, both, server):
    seconds = 301 if policy == "truemoneygames" else 200
    away = {"away": True, "seconds": seconds}
    alone = adj.adjudicate(money_record(absence={"black": away}), policy)
    assert (alone.status, alone.basis) == one
    together = adj.adjudicate(money_record(absence={"white": away, "black": away}), policy)
    assert (together.status, together.basis) == both
    assert status({"white": away, "black": away, "cause": "server"}, policy) == server
    assert adj.load_policy(adj.load_policy(policy).to_dict()) == adj.load_policy(policy)


@pytest.mark.parametrize(("claim", "expected"), [("win", ("settled", -2)), ("refund", ("refunded", 0))])
def test_the_present_side_claims(claim, expected):
    verdict = adj.adjudicate(money_record(absence={**gone(50), "claim": claim}), "claim")
    assert (verdict.status, verdict.equity_points_white) == expected


def test_a_lost_position_shortens_the_time():
    lost = {
        "board": {
            "white": {"points": {"6": 2}, "bar": 0, "off": 13},
            "black": {"points": {"1": 1}, "bar": 0, "off": 14},
        },
        "on_roll": "black",
    }
    claims = {**gone(20), "claim": "win"}
    assert status(claims, "claim", **lost) == "settled"
    assert status({**gone(13), "claim": "win"}, "claim", **lost) == "resume"
    assert status(claims, "claim", cube={"value": 2, "owner": "white"}) == "resume"


def test_leaving_on_purpose_can_cost_the_game():
    policy = {"deliberate": "forfeit", "forfeit_points": "cube"}
    verdict = adj.adjudicate(money_record(absence=gone(200, deliberate=True)), policy)
    assert (verdict.equity_points_white, verdict.basis) == (-2, "rule")
    assert adj.adjudicate(money_record(absence=gone(200, deliberate=False)), policy).equity_points_white == 1


def test_a_second_leaver_is_pointed_out():
    apart = {**BOTH, "black": {"away": True, "seconds": 190}}
    verdict = adj.adjudicate(money_record(absence=apart), "portal_m2p")
    assert (verdict.status, verdict.warnings) == ("refunded", ("SECOND_LEAVER_MAY_GAIN",))
    strict = {"name": "portal_m2p", "refund_needs_simultaneous": True}
    assert status(apart, strict) == "settled"
    assert status(BOTH, strict) == "refunded"


def test_who_left_first_can_count():
    apart = {**BOTH, "black": {"away": True, "seconds": 190}}
    first = {"name": "portal_m2p", "first_leaver_matters": True}
    verdict = adj.adjudicate(money_record(absence=apart), first)
    assert (verdict.equity_points_white, verdict.basis) == (-2, "rule")
    assert "WHITE_LEFT_FIRST" in verdict.reasons
    assert "White had left first" in adj.explain(verdict)
    assert status(BOTH, first) == "refunded"
    frozen = {"first_leaver_matters": True, "leaver_cube": "present_only"}
    owned = money_record(absence=apart, cube={"value": 2, "owner": "white"})
    assert adj.adjudicate(owned, frozen).equity_points_white == 1
    assert adj.adjudicate(owned, {"leaver_cube": "present_only"}).equity_points_white == 2


def test_too_short_a_game_is_refunded():
    verdict = adj.adjudicate(money_record(absence__plies_played=1))
    assert (verdict.status, verdict.reasons[0]) == ("refunded", "TOO_SHORT")
    assert adj.adjudicate(money_record(absence__plies_played=2)).status == "settled"


def test_playing_clocks():
    expired = {"white": {}, "black": {}, "clock_expired": "white"}
    policy = {"forfeit_points": "cube"}
    assert adj.adjudicate(money_record(absence=expired), policy).equity_points_white == -2
    assert adj.adjudicate(money_record(absence=expired), {"clock_expired": "equity"}).equity_points_white == 1
    round_ = {**expired, "clock_expired": {"side": "black", "scope": "round"}}
    assert adj.adjudicate(money_record(absence=round_), policy).equity_points_white == 2


def test_nobody_away_is_what_the_policy_says():
    record = adj.Record.from_dict(money_record(absence=...), value_only=True)
    assert adj.adjudicate(record, {"none_away": "equity"}).equity_points_white == 1
    assert adj.adjudicate(record, {"none_away": "resume"}).status == "resume"


LOG = [
    {"time": 10, "event": "disconnect", "side": "white"},
    {"time": 60, "event": "reconnect", "side": "white"},
    {"time": 100.5, "event": "disconnect", "side": "white"},
    {"time": "145.500", "event": "reconnect", "side": "white"},
    {"time": 200, "event": "disconnect", "side": "white"},
]


def test_a_log_becomes_a_state():
    state = adj.absence(LOG, "portal_m2p", 225)
    assert (state.phase, state.leaver, state.left_ms) == ("waiting", "white", 0)
    assert state.to_absence()["white"] == {"away": True, "seconds": "25.000", "used_before": "95.000"}
    assert status(state.to_absence(), "portal_m2p") == "resume"
    assert adj.absence(LOG, "portal_m2p", 225.001).phase == "expired"
    assert adj.absence(LOG, "play65", 225).left_ms == 155_000
    fresh = [*LOG[:4], {"time": 150, "event": "new_game"}, LOG[4]]
    assert adj.absence(fresh, "portal_m2p", 225).left_ms == 95_000
    assert adj.absence(fresh, {"name": "portal_m2p", "grace_scope": "per_round"}, 225).left_ms == 0
    assert adj.absence([], "play65", 5).phase == "playing"


def test_the_server_can_be_at_fault():
    log = [
        {"time": 1, "event": "server_down"},
        *({"time": 1, "event": "disconnect", "side": s} for s in ("white", "black")),
    ]
    state = adj.absence(log, "play65", 300)
    assert (state.cause, state.simultaneous, state.leaver) == ("server", True, None)
    assert status(state.to_absence()) == "refunded"


@pytest.mark.parametrize(
    "log",
    [
        [LOG[1]],
        [LOG[0], LOG[0]],
        [LOG[1], LOG[0]],
        [LOG[0], {**LOG[1], "time": 10}],
        [LOG[0], {**LOG[4], "time": 20}],
    ],
)
def test_logs_out_of_order(log):
    with pytest.raises(adj.RecordError) as caught:
        adj.absence(log, "play65", 1000)
    assert {fault.code for fault in caught.value.errors} == {"E44"}


def test_the_present_moment_is_not_in_the_past():
    with pytest.raises(adj.RecordError, match="earlier than the last event"):
        adj.absence(LOG, "play65", 100)


@pytest.mark.parametrize("lang", ["en", "fr", "de"])
def test_both_sides_are_told(lang):
    state = adj.absence(LOG, "play65", 225)
    assert "155" in adj.countdown(state, "white", lang)
    assert "155" in adj.countdown(state, "black", lang)
    late = adj.absence(LOG, "play65", 1000)
    assert adj.countdown(late, "white", lang) != adj.countdown(late, "black", lang)
    assert adj.countdown(adj.absence([], "play65", 0), "white", lang) == ""
    for now in (225, 1000):
        # Where a game is never settled, nothing is counted down to.
        kept = adj.absence(LOG, "resume_only", now)
        assert {adj.countdown(kept, side, lang) for side in ("white", "black")} == {text("KEPT", lang)}
    assert adj.countdown(adj.absence([], "resume_only", 0), "white", lang) == ""
