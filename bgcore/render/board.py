"""A position as a picture: plain text for a terminal, SVG for a page.

Both are seen from one seat. The player in that seat sits at the bottom with the home board at the
right, and the points are numbered by that player's own count. ``mine`` always means the side to
move, as everywhere in bgcore. Neither picture needs colour to be understood.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal
from xml.sax.saxutils import escape

from bgcore.errors import DiceError, RulesError
from bgcore.render.words import ENGLISH, BoardWords

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bgcore._core import Position
    from bgcore.rules import Cube, MatchScore

Seat = Literal["mine", "theirs"]
Colour = Literal["white", "black"]

ROWS = 5  # checkers drawn on a point before a number says how many there are

# SVG geometry, in user units.
POINT = 40
RADIUS = 19
MARGIN = 50
TRAY = 50
HALF = 6 * POINT
BAR_LEFT = MARGIN + HALF
RIGHT_LEFT = BAR_LEFT + POINT
TRAY_LEFT = RIGHT_LEFT + HALF + 6
WIDTH = TRAY_LEFT + TRAY + 6
LONGEST_LABEL = 14
TOP = 58
BOTTOM = TOP + 2 * ROWS * 2 * RADIUS + 70
MIDDLE = (TOP + BOTTOM) // 2
HEIGHT = BOTTOM + 58

WOOD, FRAME, PALE, DARK, INK = "#f5efe3", "#5b4a36", "#dcc9a6", "#a58a63", "#1c1c1c"
FILL = {"white": "#ffffff", "black": "#262626"}
CONTRAST = {"white": "#1c1c1c", "black": "#ffffff"}
PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


@dataclass(frozen=True, slots=True)
class _View:
    """What a picture shows, turned to the seat it is seen from: ``bottom`` sits there."""

    slots: list[int]  # 26 counts, positive for the bottom side, by its own numbering
    is_mover_bottom: bool
    off: tuple[int, int]  # bottom, top
    pips: tuple[int, int]
    names: tuple[str, str]
    status: str
    cube_place: str | None  # "bottom", "top", "centre", or None without a cube
    cube_text: str  # the value on it
    cube_words: str
    dice: tuple[int, int] | None
    headline: str


def _checked_dice(dice: Sequence[int] | None) -> tuple[int, int] | None:
    if dice is None:
        return None
    if len(dice) != 2 or not all(1 <= die <= 6 for die in dice):
        raise DiceError(f"a roll is two numbers from 1 to 6, not {tuple(dice)!r}")
    return int(dice[0]), int(dice[1])


def _view(
    position: Position,
    dice: Sequence[int] | None,
    cube: Cube | None,
    score: MatchScore | None,
    seat: Seat,
    names: tuple[str, str],
    status: str | None,
    words: BoardWords,
) -> _View:
    if seat not in ("mine", "theirs"):
        raise RulesError(f"a seat is 'mine' (the side to move) or 'theirs', not {seat!r}")
    roll = _checked_dice(dice)
    is_mover_bottom = seat == "mine"
    seen = position if is_mover_bottom else position.flip()
    turn = 1 if is_mover_bottom else -1
    if status is None:
        outcome = position.outcome
        if outcome:
            status = words.won[abs(outcome) - 1].format(name=names[0] if outcome > 0 else names[1])
        elif roll:
            status = words.to_play.format(name=names[0], roll=f"{roll[0]}-{roll[1]}")
        else:
            status = words.to_roll.format(name=names[0])
    place, value, cube_words = None, "", ""
    if cube is not None and cube.enabled:
        owner, value = cube.owner, str(cube.value)
        place = "centre" if owner == "centre" else "bottom" if (owner == "mine") == is_mover_bottom else "top"
        cube_words = words.cube_centre.format(value=value)
        if owner != "centre":
            cube_words = words.cube_owned.format(value=value, name=names[0] if owner == "mine" else names[1])
    headline = ""
    if score is not None:
        headline = words.match.format(
            length=score.length, first=names[0], mine=score.mine, second=names[1], theirs=score.theirs
        )
        if score.is_crawford:
            headline += words.crawford
    return _View(
        slots=[int(n) for n in seen.board],
        is_mover_bottom=is_mover_bottom,
        off=seen.off,
        pips=seen.pip_counts,
        names=names[::turn],  # type: ignore[arg-type]
        status=status,
        cube_place=place,
        cube_text=value,
        cube_words=cube_words,
        dice=roll,
        headline=headline,
    )


def text_board(
    position: Position,
    *,
    dice: Sequence[int] | None = None,
    cube: Cube | None = None,
    score: MatchScore | None = None,
    seat: Seat = "mine",
    names: tuple[str, str] = ("X", "O"),
    status: str | None = None,
    words: BoardWords = ENGLISH,
) -> str:
    """Draw a position in plain text, 13 lines of at most 80 columns with short names; in English all of it ASCII.

    Parameters
    ----------
    position : Position
        ``X`` are the checkers of the side to move, ``O`` the opponent's, from either seat.
    dice : (int, int), optional
        A roll of the side to move.
    cube : Cube, optional
        Seen by the side to move; without one no cube is shown.
    score : MatchScore, optional
        Seen by the side to move.
    seat : {"mine", "theirs"}
        Who sits at the bottom: the side to move, or its opponent. Points are numbered from there.
    names : (str, str)
        The side to move and its opponent.
    status : str, optional
        What is going on, in place of "X to roll".
    words : BoardWords
        The language, from `bgcore.render.words.board_words`.

    Returns
    -------
    str
        Without a newline at the end.

    Raises
    ------
    DiceError, RulesError
        If the dice are not two numbers from 1 to 6, or the seat is neither of the two.
    """
    view = _view(position, dice, cube, score, seat, names, status, words)
    signs = ("X", "O") if view.is_mover_bottom else ("O", "X")
    bar_bottom, bar_top = view.slots[25], -view.slots[0]
    upper = [_stack(view.slots[point], signs) for point in range(13, 25)]
    lower = [_stack(view.slots[point], signs) for point in range(12, 0, -1)]
    # A checker on the bar waits beside the home board it has to enter, from the middle outwards.
    bar_up, bar_down = _stack(bar_bottom, signs)[::-1], _stack(-bar_top, signs)[::-1]
    lines = [_edge(range(13, 25))]
    lines += [_row(upper, bar_up, row) for row in range(ROWS)]
    lines.append(f" |{'':18}|BAR|{'':18}|")
    lines += [_row(lower, bar_down, row) for row in reversed(range(ROWS))]
    lines.append(_edge(range(12, 0, -1)))
    labels = [""] * len(lines)
    for index, side in ((0, 1), (10, 0)):
        name, sign = view.names[side], signs[side]
        labels[index + 1] = sign if name == sign else f"{sign} {name}"
        labels[index + 2] = words.counts.format(pips=view.pips[side], off=view.off[side])
    if view.cube_place is not None:
        labels[{"top": 4, "centre": 5, "bottom": 9}[view.cube_place]] = view.cube_words
    labels[6] = view.status
    if view.headline:
        labels[7] = view.headline
    return "\n".join(f"{line}  {label}".rstrip() for line, label in zip(lines, labels, strict=True))


def _stack(count: int, signs: tuple[str, str]) -> list[str]:
    """Fill the ROWS cells of a point, from the edge inwards; a number stands on a stack too tall to draw."""
    sign, number = signs[count < 0], abs(count)
    cells = [f" {sign} "] * min(number, ROWS) + ["   "] * (ROWS - min(number, ROWS))
    if number > ROWS:
        cells[-1] = f"{number:>2} "
    return cells


def _row(stacks: list[list[str]], bar: list[str], row: int) -> str:
    left, right = ("".join(stack[row] for stack in half) for half in (stacks[:6], stacks[6:]))
    return f" |{left}|{bar[row]}|{right}|"


def _edge(points: Iterable[int]) -> str:
    cells = [f"{point:->2}-" for point in points]
    return f" +{''.join(cells[:6])}+---+{''.join(cells[6:])}+"


def svg_board(
    position: Position,
    *,
    dice: Sequence[int] | None = None,
    cube: Cube | None = None,
    score: MatchScore | None = None,
    seat: Seat = "mine",
    names: tuple[str, str] = ("White", "Black"),
    colours: tuple[Colour, Colour] = ("white", "black"),
    status: str | None = None,
    moves: Sequence[tuple[int, int, bool]] = (),
    width: int | None = None,
    words: BoardWords = ENGLISH,
) -> str:
    """Draw a position as one self-contained ``<svg>`` element.

    The element has no script, no style sheet, no identifiers and no reference to anything outside it,
    so that it can stand in any page several times; a title and a description say in words what it shows.

    Parameters
    ----------
    position, dice, cube, score, seat, names, status
        As for :func:`text_board`.
    colours : (str, str)
        ``"white"`` or ``"black"``: the checkers of the side to move and of its opponent.
    moves : sequence of (from_point, to_point, hit)
        Moves of the side to move, as in ``Play.moves``, drawn as arrows.
    width : int, optional
        Pixels; by default the element has a view box only and fills what it stands in.
    words : BoardWords
        The language, from `bgcore.render.words.board_words`.

    Returns
    -------
    str
        ``<svg ...>...</svg>`` without an XML declaration.

    Raises
    ------
    DiceError, RulesError
        If the dice are not two numbers from 1 to 6, or the seat is neither of the two.
    """
    view = _view(position, dice, cube, score, seat, names, status, words)
    shades = colours if view.is_mover_bottom else colours[::-1]
    size = f' width="{width}"' if width is not None else ""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"{size} role="img" '
        f'font-family="Helvetica, Arial, sans-serif" font-size="15">',
        f"<title>{escape(view.status)}</title>",
        f"<desc>{escape(_description(view, words))}</desc>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        _rect(MARGIN - 6, TOP - 6, TRAY_LEFT + TRAY - MARGIN + 12, BOTTOM - TOP + 12, FRAME, radius=6),
        _rect(MARGIN, TOP, HALF, BOTTOM - TOP, WOOD),
        _rect(RIGHT_LEFT, TOP, HALF, BOTTOM - TOP, WOOD),
        _rect(TRAY_LEFT, TOP, TRAY, BOTTOM - TOP, "#8a7455"),
    ]
    for point in range(1, 25):
        parts += _svg_point(point, view.slots[point], shades)
    parts += _svg_stack(BAR_LEFT + POINT // 2, MIDDLE - 30, -1, view.slots[25], shades)
    parts += _svg_stack(BAR_LEFT + POINT // 2, MIDDLE + 30, 1, view.slots[0], shades)
    parts += _svg_off(view.off[0], BOTTOM, -1, shades[0])
    parts += _svg_off(view.off[1], TOP, 1, shades[1])
    if view.cube_place is not None:
        parts += _svg_cube(view)
    if view.dice is not None:
        centre = RIGHT_LEFT + HALF // 2 if view.is_mover_bottom else MARGIN + HALF // 2
        shade = colours[0]
        parts += [part for i, die in enumerate(view.dice) for part in _svg_die(centre - 24 + 48 * i, die, shade)]
    parts += _svg_moves(position, moves, view.is_mover_bottom)
    for side, y in ((1, 18), (0, HEIGHT - 8)):
        counts = words.counts.format(pips=view.pips[side], off=view.off[side])
        parts.append(
            _text(MARGIN, y, f"{_label(view.names[side])}{words.colon} {counts}", anchor="start", weight="bold")
        )
    # Beside these lines there is room for short names only; the description has them in full.
    aside = view.status, view.headline
    for name in names:
        aside = aside[0].replace(name, _label(name)), aside[1].replace(name, _label(name))
    parts.append(_text(WIDTH - 6, HEIGHT - 8, aside[0], anchor="end", size=13))
    if aside[1]:
        parts.append(_text(WIDTH - 6, 18, aside[1], anchor="end", size=12))
    parts.append("</svg>")
    return "\n".join(parts)


def _label(name: str) -> str:
    """Shorten a name to what a line of the picture has room for."""
    return name if len(name) <= LONGEST_LABEL else name[: LONGEST_LABEL - 1].rstrip() + "…"


def _description(view: _View, words: BoardWords) -> str:
    """Say the picture in words, for a reader who cannot see it."""
    sentences = []
    for side, sign in ((0, 1), (1, -1)):
        own = {(slot if sign > 0 else 25 - slot): sign * n for slot, n in enumerate(view.slots) if sign * n > 0}
        places = [
            (words.on_bar if slot == 25 else words.on_point).format(count=n, point=slot)
            for slot, n in sorted(own.items(), reverse=True)
        ]
        if view.off[side]:
            places.append(words.borne_off.format(count=view.off[side]))
        sentence = words.own_count.format(name=view.names[side], places=", ".join(places), pips=view.pips[side])
        sentences.append(sentence)
    sentences += [f"{part[0].upper()}{part[1:]}." for part in (view.cube_words, view.headline) if part]
    return " ".join(sentences)


def _text(
    x: float,
    y: float,
    text: str,
    *,
    anchor: str = "middle",
    size: int = 15,
    weight: str = "normal",
    fill: str = INK,
) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-size="{size}" font-weight="{weight}" '
        f'fill="{fill}">{escape(text)}</text>'
    )


def _rect(
    x: float, y: float, width: float, height: float, fill: str, *, radius: float = 0, stroke: str = "none"
) -> str:
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius:g}" '
        f'fill="{fill}" stroke="{stroke}" stroke-width="1.5"/>'
    )


def _foot(point: int) -> tuple[float, float, int]:
    """Find a point's middle, its edge of the board, and the way its stack grows (1 is down)."""
    is_top = point > 12
    column = point - 13 if is_top else 12 - point
    x = MARGIN + column * POINT + POINT / 2 + (POINT if column >= 6 else 0)
    return (x, TOP, 1) if is_top else (x, BOTTOM, -1)


def _svg_point(point: int, count: int, shades: tuple[str, ...]) -> list[str]:
    x, base, way = _foot(point)
    tip = base + way * (2 * ROWS * RADIUS)
    return [
        f'<polygon points="{x - POINT / 2:g},{base:g} {x + POINT / 2:g},{base:g} {x:g},{tip:g}" '
        f'fill="{PALE if point % 2 else DARK}"/>',
        _text(x, TOP - 14 if way > 0 else BOTTOM + 25, str(point), size=14),
        *_svg_stack(x, base, way, count, shades),
    ]


def _svg_moves(position: Position, moves: Sequence[tuple[int, int, bool]], is_mover_bottom: bool) -> list[str]:
    """Draw an arrow for each move, from the checker it takes to the place it goes to."""
    counts = [max(int(n), 0) for n in position.board]
    parts = []
    for start, end, _ in moves:
        counts[start] -= 1
        x1, y1 = _spot(start, counts[start], is_mover_bottom)
        x2, y2 = _spot(end, counts[end], is_mover_bottom)
        counts[end] += end > 0
        parts += _svg_arrow(x1, y1, x2, y2)
    return parts


def _spot(slot: int, index: int, is_mover_bottom: bool) -> tuple[float, float]:
    """Find the middle of the mover's checker number ``index`` on its own slot; 25 is the bar, 0 is off."""
    way = -1 if is_mover_bottom else 1
    if slot == 0:
        return TRAY_LEFT + TRAY / 2, (BOTTOM if is_mover_bottom else TOP) + way * 90
    if slot == 25:
        x, base = BAR_LEFT + POINT / 2, float(MIDDLE + way * 30)
    else:
        x, base, way = _foot(slot if is_mover_bottom else 25 - slot)
    return x, base + way * RADIUS * (2 * min(index, ROWS - 1) + 1)


def _svg_arrow(x1: float, y1: float, x2: float, y2: float) -> list[str]:
    length = max(((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5, 1.0)
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    bx, by = x2 - 13 * ux, y2 - 13 * uy
    head = f"{x2:.1f},{y2:.1f} {bx - 8 * uy:.1f},{by + 8 * ux:.1f} {bx + 8 * uy:.1f},{by - 8 * ux:.1f}"
    line = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{bx:.1f}" y2="{by:.1f}" stroke-linecap="round"'
    return [
        f'<line {line} stroke="#ffffff" stroke-width="7"/>',
        f'<line {line} stroke="#b3261e" stroke-width="4"/>',
        f'<polygon points="{head}" fill="#b3261e" stroke="#ffffff" stroke-width="1.5"/>',
    ]


def _svg_stack(x: float, base: float, way: int, count: int, shades: tuple[str, ...]) -> list[str]:
    """Checkers from ``base`` on, downwards for way 1; a number on the last when there are more than fit."""
    if count == 0:
        return []
    shade, number = shades[count < 0], abs(count)
    centres = [base + way * RADIUS * (2 * i + 1) for i in range(min(number, ROWS))]
    parts = [
        f'<circle cx="{x:g}" cy="{y:g}" r="{RADIUS - 1}" fill="{FILL[shade]}" stroke="{INK}" stroke-width="1.5"/>'
        for y in centres
    ]
    if shade == "black":  # a pale ring, so that dark checkers in a stack stay apart in print
        parts += [f'<circle cx="{x:g}" cy="{y:g}" r="{RADIUS - 5}" fill="none" stroke="#8c8c8c"/>' for y in centres]
    if number > ROWS:
        parts.append(_text(x, centres[-1] + 6, str(number), size=17, weight="bold", fill=CONTRAST[shade]))
    return parts


def _svg_off(count: int, base: float, way: int, shade: str) -> list[str]:
    slabs = [
        _rect(TRAY_LEFT + 6, base + way * (12 * i + 8) - 5, TRAY - 12, 10, FILL[shade], radius=2, stroke=INK)
        for i in range(count)
    ]
    if count:
        slabs.append(_text(TRAY_LEFT + TRAY / 2, base + way * (12 * count + 20) + 5, str(count), fill="#ffffff"))
    return slabs


def _svg_cube(view: _View) -> list[str]:
    y = {"top": TOP + 20, "centre": MIDDLE, "bottom": BOTTOM - 20}[view.cube_place or "centre"]
    x = MARGIN / 2 - 3
    size = 14 if len(view.cube_text) > 2 else 18
    return [
        _rect(x - 18, y - 18, 36, 36, "#ffffff", radius=5, stroke=INK),
        _text(x, y + 6, view.cube_text, size=size, weight="bold"),
    ]


def _svg_die(x: float, die: int, shade: str) -> list[str]:
    parts = [_rect(x - 17, MIDDLE - 17, 34, 34, FILL[shade], radius=6, stroke=INK)]
    parts += [
        f'<circle cx="{x + 9 * dx:g}" cy="{MIDDLE + 9 * dy:g}" r="3.4" fill="{CONTRAST[shade]}"/>'
        for dx, dy in PIPS[die]
    ]
    return parts
