"""Situations of every kind for hypothesis: cube, dice, offers, match and money scores."""

from hypothesis import assume
from hypothesis import strategies as st

import strategies
from bgcore import Position
from bgcore.codecs.situation import Situation
from bgcore.rules import Cube, MatchScore, Rules

OFFERS = {"double": "mine", "beaver": "theirs", "raccoon": "mine"}


@st.composite
def situations(draw):
    position = Position.from_board(draw(strategies.boards))
    length = draw(st.sampled_from([0, 0, 1, 3, 7, 25]))
    pending = draw(st.sampled_from([None, None, "double", "beaver", "raccoon"]))
    jacoby, beavers = draw(st.booleans()), draw(st.booleans()) or pending in ("beaver", "raccoon")
    turned = st.builds(Cube, st.sampled_from([2, 4, 8, 64]), st.sampled_from(["mine", "theirs"]))
    cube = draw(st.just(Cube()) | turned)
    assume(pending is None or cube.owner in ("centre", OFFERS["double"]))
    assume(not (length and pending in ("beaver", "raccoon")))
    score, session = None, (draw(st.integers(0, 99)), draw(st.integers(0, 99)))
    if length:
        mine, theirs = draw(st.integers(0, length - 1)), draw(st.integers(0, length - 1))
        one_away = (length - mine == 1) != (length - theirs == 1)
        crawford = one_away and cube.is_centred and pending is None and draw(st.booleans())
        score, session = MatchScore(length, mine, theirs, crawford), (0, 0)
    high_first = tuple(sorted(draw(strategies.dice), reverse=True))
    return Situation(
        position=position,
        cube=cube,
        dice=high_first if pending is None and draw(st.booleans()) else None,
        score=score,
        rules=Rules(
            jacoby=jacoby and not length,
            beavers=beavers and not length,
            raccoons=pending == "raccoon",
            cube_limit=1 << draw(st.integers(6, 15)),
        ),
        pending=pending,
        pending_by=OFFERS.get(pending),
        session=session,
        turn=draw(st.sampled_from([1, -1])),
    )
