"""What is to be said about a verdict, in order and in words, before anybody asks in which format."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from bgcore.adjudication.absence import state_of
from bgcore.adjudication.explain.faults import MEANINGS
from bgcore.adjudication.explain.texts import LANGUAGES, text
from bgcore.adjudication.faults import Fault
from bgcore.adjudication.question import side_may_double
from bgcore.adjudication.record import COLOURS, OTHER, Colour, Record, seconds_text
from bgcore.adjudication.settle import cap_points
from bgcore.adjudication.verdict import Verdict

Audience = Literal["player", "support", "auditor"]


@dataclass(frozen=True, slots=True)
class Table:
    """A head and rows of plain text; ``numbers`` are the columns that hold numbers."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[int, ...] = ()


@dataclass(slots=True)
class Section:
    """A heading, sentences, perhaps a table, a line of code or the board.

    ``is_drawn`` marks what a page shows better than words do, and draws from the verdict itself.
    """

    title: str
    sentences: list[str] = field(default_factory=list)
    table: Table | None = None
    code: str = ""
    has_board: bool = False
    is_drawn: bool = False


@dataclass(frozen=True, slots=True)
class Story:
    """A title, the one sentence that matters, and sections."""

    title: str
    lead: str
    sections: tuple[Section, ...]
    lang: str
    names: Mapping[Colour, str]


class _Teller:
    """Tells one verdict in one language."""

    def __init__(self, verdict: Verdict, lang: str, audience: Audience, names: Mapping[str, str] | None) -> None:
        self.verdict = verdict
        self.lang = lang
        self.audience = audience
        # A name is one line, whatever it holds.
        given = {colour: " ".join(((names or {}).get(colour) or "").split()) for colour in COLOURS}
        self.names: dict[Colour, str] = {colour: given[colour] or text(colour, lang) for colour in COLOURS}

    def say(self, code: str, **values: object) -> str:
        """Return one sentence."""
        return text(code, self.lang, **values)

    def number(self, value: object) -> str:
        """Return a number with the decimal mark of the language."""
        return str(value) if self.lang == "en" else str(value).replace(".", ",")

    def short(self, value: Fraction | float, digits: int = 3) -> str:
        """Return a number to a few digits, without zeros that say nothing."""
        shown = f"{float(value):.{digits}f}"
        return self.number(shown.rstrip("0").rstrip(".") if "." in shown else shown).replace("-0", "0", shown == "-0")

    def money(self, amount: str) -> str:
        """Return an amount with its currency."""
        assert self.verdict.record is not None
        record = self.verdict.record
        currency = record.money.currency if record.money is not None else None
        if record.match is not None and record.match.prize is not None:
            currency = record.match.prize.currency
        return self.number(amount) + (f" {currency}" if currency else "")

    # The one sentence.

    def lead(self) -> str:
        """Return the result in one sentence."""
        verdict = self.verdict
        if verdict.status == "rejected":
            return self.say("REJECTED")
        if verdict.status == "undecided":
            is_choice = "CLAIM_OPEN" in verdict.reasons
            return self.say("CLAIM_OPEN", W=self.claimant()) if is_choice else self.say("UNDECIDED")
        if verdict.status == "resume":
            left = (verdict.state or {}).get("left", "0.000")
            assert verdict.record is not None and verdict.policy is not None
            is_kept = state_of(verdict.record.absence, verdict.policy).is_kept
            return self.say("RESUME", r=self.whole(left)) if float(left) and not is_kept else self.say("KEPT")
        if verdict.status == "refunded":
            return self.say("REFUND")
        return self.match_lead() if verdict.is_match else self.money_lead()

    def money_lead(self) -> str:
        """Return who pays whom."""
        transfer = self.verdict.transfer
        if transfer is None:
            return self.say("NOTHING_MOVES")
        return self.say(
            "PAYS", B=self.named(transfer["from"]), W=self.named(transfer["to"]), m=self.money(transfer["amount"])
        )

    def match_lead(self) -> str:
        """Return how the match is shared."""
        verdict = self.verdict
        assert verdict.number is not None
        is_given = verdict.basis == "rule" or self.form() == "MAJORITY"
        if is_given and verdict.number in (0, 1):
            return self.say("WINS_MATCH", W=self.names["white" if verdict.number == 1 else "black"])
        # The chance is that of the game; a rule for leavers may have moved the prize, which is told as it is paid.
        share = verdict.number if verdict.value is None or is_given else verdict.value.number
        chance = self.short(100 * share, 2)
        if verdict.payouts is None:
            return self.say("SHARE_ONLY", W=self.names["white"], q=chance)
        match = None if verdict.record is None else verdict.record.match
        seat = None if match is None else match.next_round_value
        return self.say(
            "SHARE" if seat is None else "SHARE_SEAT",
            W=self.names["white"],
            q=chance,
            a=self.money(verdict.payouts["white"]),
            b=self.money(verdict.payouts["black"]),
            s="" if seat is None else self.money(str(seat)),
        )

    def claimant(self) -> str:
        """Return the name of the side that stayed and may choose."""
        assert self.verdict.record is not None
        gone = self.verdict.record.absence.gone
        first = [colour for colour in gone if f"{colour.upper()}_LEFT_FIRST" in self.verdict.reasons]
        return self.names[OTHER[(first or gone)[0]]]

    # The sections.

    def sections(self) -> list[Section]:
        """Return everything that follows the result."""
        verdict = self.verdict
        found = []
        if verdict.errors:
            found.append(self.errors())
        if verdict.record is None:
            return found
        if verdict.status != "rejected":
            found.append(self.why())
        found.append(self.board(verdict.record))
        if verdict.value is not None:
            found.append(self.value(verdict.record))
            if self.audience != "player" and verdict.value.trials:
                found.append(self.rollout())
        if verdict.payouts is not None:
            found.append(self.payouts(verdict.record))
        if verdict.sensitivity:
            found.append(self.otherwise())
        if self.audience != "player":
            found += [self.codes(), self.rule()]
        if verdict.status != "rejected":
            found.append(self.check())
        return found

    def errors(self) -> Section:
        """Return what is wrong with a record."""
        rows = tuple((fault.code, fault.path, self.meaning(fault)) for fault in self.verdict.errors)
        return Section(self.say("H_ERRORS"), table=Table(("", "", ""), rows))

    def meaning(self, fault: Fault) -> str:
        """Return what a fault means; whoever can mend it also reads the English sentence of the error itself."""
        said = f"{fault.message} ({fault.hint})" if fault.hint else fault.message
        if self.lang == "en":
            return said
        meant = MEANINGS[fault.code][LANGUAGES.index(self.lang) - 1]
        return meant if self.audience == "player" else f"{meant} [{said}]"

    def why(self) -> Section:
        """Return who was away and what the rule says about it."""
        verdict, record = self.verdict, self.verdict.record
        assert record is not None and verdict.state is not None
        section = Section(self.say("H_WHY"))
        for colour in COLOURS:
            side: Mapping[str, Any] = verdict.state[colour]
            if side["away"]:
                shorter = self.shortened(colour)
                code = "ABSENT_OVER" if side["phase"] == "expired" or shorter else "ABSENT_WITHIN"
                allowed = shorter or self.whole(side["allowed"])
                section.sentences.append(self.say(code, B=self.names[colour], t=self.whole(side["used"]), g=allowed))
                if shorter:
                    section.sentences.append(self.say("SHORTER_WHEN_LOST"))
        expired = record.absence.clock_expired
        if expired is not None:
            section.sentences.append(self.say("CLOCK_EXPIRED", B=self.names[expired.side]))
        gone = record.absence.gone
        leaver = self.names[gone[0]] if len(gone) == 1 else ""
        section.sentences += [
            self.say("LEFT_FIRST", B=self.names[colour])
            for colour in COLOURS
            if f"{colour.upper()}_LEFT_FIRST" in verdict.reasons
        ]
        reasons = ("SERVER_FAULT", "TOO_SHORT", "LEFT_DELIBERATELY")
        section.sentences += [self.say(code, B=leaver) for code in reasons if code in verdict.reasons]
        section.sentences.append(self.say(f"RULE_{self.form()}"))
        section.sentences += [
            self.say(f"CLAIMS_{claim}", W=self.names[colour])
            for colour in COLOURS
            for claim in ("WIN", "REFUND")
            if f"{colour.upper()}_CLAIMS_{claim}" in verdict.reasons
        ]
        bent = ("LEAVER_NO_GAIN", "LEAVER_LEAVER_MIN", "LEAVER_FEE", "MAJORITY_TIE", "INTERVAL_STRADDLES")
        section.sentences += [self.say(code) for code in bent if code in verdict.reasons]
        return section

    def shortened(self, colour: Colour) -> str:
        """Return the seconds that were allowed, where a lost position had shortened them; else nothing."""
        verdict = self.verdict
        assert verdict.state is not None and verdict.policy is not None
        side: Mapping[str, Any] = verdict.state[colour]
        start = f"{colour.upper()}_ABSENT_"
        if side["phase"] != "waiting" or not any(reason.startswith(start) for reason in verdict.reasons):
            return ""
        milliseconds = round(1000 * float(side["allowed"])) // verdict.policy.grace_lost_divisor
        return self.whole(seconds_text(milliseconds))

    def form(self) -> str:
        """Return the form that the settlement took."""
        verdict = self.verdict
        if any(reason == "CLAIM_OPEN" or "_CLAIMS_" in reason for reason in verdict.reasons):
            return "CLAIM"
        if verdict.status == "refunded":
            return "REFUND"
        if verdict.status == "resume":
            return "RESUME"
        if verdict.status == "undecided":
            return "MAJORITY"
        if verdict.basis == "rule":
            is_clock = verdict.record is not None and verdict.record.absence.clock_expired is not None
            return "CLOCK" if is_clock else "FORFEIT"
        return "MAJORITY" if any(reason.startswith("MAJORITY") for reason in verdict.reasons) else "EQUITY"

    def board(self, record: Record) -> Section:
        """Return where the game stood."""
        section = Section(self.say("H_BOARD"), has_board=True)
        if record.on_roll is None:
            section.sentences.append(self.say("NOBODY_ROLLED"))
        elif record.dice is None:
            section.sentences.append(self.say("TO_ROLL", W=self.names[record.on_roll]))
        else:
            dice = f"{record.dice[0]}-{record.dice[1]}"
            section.sentences.append(self.say("HAD_ROLLED", W=self.names[record.on_roll], d=dice))
        if record.cube.enabled and record.pending is None:
            section.sentences.append(self.cube(record))
        if record.pending is not None:
            section.sentences.append(
                self.say(f"OFFERED_{record.pending.type}", W=self.names[record.pending.by], c=record.pending.level)
            )
        return section

    def cube(self, record: Record) -> str:
        """Return who may still turn the cube."""
        cube, money = record.cube, record.money
        turned = 2 * cube.value
        covered = None if money is None or record.rules.limit_mode != "block_double" else cap_points(money)
        is_crawford = record.match is not None and record.match.is_crawford
        doublers: list[Colour] = [colour for colour in COLOURS if cube.owner in ("centre", colour)]
        if is_crawford or any(limit is not None and turned > limit for limit in (cube.limit, covered)):
            doublers = []
        if self.verdict.value is not None and self.verdict.policy is not None:
            rule = self.verdict.policy.leaver_cube
            leaver = state_of(record.absence, self.verdict.policy).leaver
            doublers = [colour for colour in doublers if side_may_double(rule, leaver, colour) in ("both", "mine")]  # type: ignore[arg-type]
        if len(doublers) == 2:
            return self.say("CUBE_BOTH", c=cube.value)
        return (
            self.say("CUBE", c=cube.value, W=self.names[doublers[0]])
            if doublers
            else self.say("CUBE_DEAD", c=cube.value)
        )

    def value(self, record: Record) -> Section:
        """Return what the position is worth, and how that is known."""
        value = self.verdict.value
        assert value is not None
        section = Section(self.say("H_VALUE"))
        mover = record.on_roll
        if value.basis == "symmetry":
            section.sentences.append(self.say("EVEN"))
        elif value.is_certain and value.chances is not None:
            winner: Colour = "white" if value.chances.win == 1 else "black"
            section.sentences.append(self.say("WIN_SURE", W=self.names[winner]))
            gammon = max(value.chances.win_gammon, value.chances.lose_gammon)
            backgammon = max(value.chances.win_bg, value.chances.lose_bg)
            if gammon == 1:
                code = "BACKGAMMON_SURE" if backgammon == 1 else "GAMMON_SURE"
                section.sentences.append(self.say(code, B=self.names[OTHER[winner]]))
        elif value.winning_rolls is not None and mover is not None:
            section.sentences.append(self.say("COUNTABLE", W=self.names[mover], n=value.winning_rolls))
        elif value.chances is not None:
            section.sentences.append(self.chance())
        if mover is not None and value.action in ("double_pass", "double_take") and record.pending is None:
            section.sentences.append(self.say(value.action.upper(), W=self.names[mover], B=self.names[OTHER[mover]]))
        if value.unit == "points":
            section.sentences.append(self.fair_value())
        section.sentences.append(self.say(f"WORKED_BY_{value.basis}", n=value.trials))
        interval = self.verdict.interval_money
        if interval is not None and not value.is_exact:
            section.sentences.append(self.interval(interval))
        return section

    def interval(self, bounds: list[str]) -> str:
        """Return the interval in money, for the side that is ahead (in a match: White's prize)."""
        value = self.verdict.value
        assert value is not None
        low, high = bounds
        ahead: Colour = "white"
        if value.unit == "points" and value.number < 0:
            ahead, low, high = "black", _negated(high), _negated(low)
        return self.say("INTERVAL", a=self.money(low), b=self.money(high), W=self.names[ahead])

    def chance(self) -> str:
        """Return the favourite's chance in this game, in games of a hundred."""
        value = self.verdict.value
        assert value is not None and value.chances is not None
        win = value.chances.win
        favourite: Colour = "white" if win >= Fraction(1, 2) else "black"
        shown = 100 * (win if favourite == "white" else 1 - win)
        if value.is_exact:
            return self.say("CHANCE_EXACT", W=self.names[favourite], p=self.short(shown, 2))
        reach = max(1.96 * 100 * value.win_error, 0.1)
        return self.say("CHANCE", W=self.names[favourite], p=self.short(shown, 0), e=self.short(reach, 1))

    def fair_value(self) -> str:
        """Return the value in points for the side that is ahead."""
        value = self.verdict.value
        assert value is not None and value.per_cube is not None
        if value.number == 0:
            return self.say("FAIR_EVEN")
        ahead: Colour = "white" if value.number > 0 else "black"
        return self.say(
            "FAIR_POINTS",
            W=self.names[ahead],
            v=self.short(value.number if ahead == "white" else -value.number),
            k=self.short(value.per_cube if ahead == "white" else -value.per_cube),
        )

    def payouts(self, record: Record) -> Section:
        """Return both accounts before and after."""
        payouts = self.verdict.payouts
        assert payouts is not None
        section = Section(self.say("H_MONEY"), [self.lead()], is_drawn=True)
        rows = []
        escrow = payouts.get("escrow_each")
        for name in (*COLOURS, "site"):
            if name not in payouts:
                continue
            before = "" if escrow is None else escrow if name != "site" else _zero(escrow)
            rows.append((self.named(name), self.number(before), self.number(payouts[name])))
        before = "" if escrow is None else payouts["sum"]
        rows.append((self.say("T_SUM"), self.number(before), self.number(payouts["sum"])))
        head = (self.say("T_WHO"), self.say("T_BEFORE"), self.say("T_AFTER"))
        if escrow is None:
            rows = [(name, after) for name, _, after in rows]  # type: ignore[misc]
            head = (head[0], head[2])  # type: ignore[assignment]
        section.table = Table(head, tuple(rows), tuple(range(1, len(head))))
        if self.audience == "auditor" and record.money is not None and record.money.rake.rate:
            section.sentences.append(self.say("RAKE_NOTE"))
        return section

    def otherwise(self) -> Section:
        """Return what the value would have been if something open had gone another way."""
        is_match = self.verdict.is_match
        rows = tuple(
            (self.say(f"IF_{name}"), self.short(100 * number, 2) + " %" if is_match else self.short(number))
            for name, number in self.verdict.sensitivity.items()
        )
        head = (self.say("T_IF"), self.say("T_WORTH", W=self.names["white"]))
        return Section(self.say("H_ELSE"), table=Table(head, rows, (1,)), is_drawn=True)

    def rollout(self) -> Section:
        """Return how the estimate came about."""
        value = self.verdict.value
        assert value is not None
        rows = tuple(
            (
                shown["line"],
                str(shown["trials"]),
                self.short(float(shown["mean"]), 4),
                self.short(float(shown["std_error"]), 4),
            )
            for shown in value.rollouts
            if shown["line"] != "interval"
        )
        head = ("", self.say("T_TRIALS"), self.say("T_MEAN"), self.say("T_ERROR"))
        return Section(self.say("H_ROLLOUT"), [self.say("DICE_NOTE")], Table(head, rows, (1, 2, 3)))

    def codes(self) -> Section:
        """Return the codes for a support desk."""
        codes = [*self.verdict.reasons, *self.verdict.warnings]
        return Section(self.say("H_CODES"), [", ".join(codes)], is_drawn=True)

    def rule(self) -> Section:
        """Return the policy, key by key, and for auditors the digests."""
        policy = self.verdict.policy
        settings: dict[str, Any] = {} if policy is None else policy.to_dict()
        if self.audience == "auditor":
            settings |= {f"repro.{key}": value for key, value in self.verdict.repro.items()}
        rows = tuple((key, _plain(value)) for key, value in settings.items() if value not in (None, ""))
        return Section(self.say("H_RULE"), table=Table((self.say("T_KEY"), ""), rows))

    def check(self) -> Section:
        """Return how to compute the verdict again."""
        sentences = [self.say("CHECK_ID", id=self.verdict.verdict_id), self.say("CHECK_RUN")]
        return Section(
            self.say("H_CHECK"), sentences, code="bgcore adjudicate verify verdicts.jsonl cases.jsonl", is_drawn=True
        )

    def named(self, who: str) -> str:
        """Return the name of a side or the site."""
        return self.names[who] if who in COLOURS else self.say(who)

    def whole(self, seconds: str) -> str:
        """Return seconds without needless decimals."""
        return self.number(seconds.rstrip("0").rstrip(".") if "." in seconds else seconds)


def _negated(amount: str) -> str:
    """Return an amount with the other sign."""
    return amount[1:] if amount.startswith("-") else f"-{amount}"


def _zero(amount: str) -> str:
    """Return nothing at all, with as many decimals as an amount."""
    _, point, decimals = amount.partition(".")
    return "0" + point + "0" * len(decimals)


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_plain(item)}" for key, item in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(_plain, value))
    return "" if value is None else str(value)


def tell(verdict: Verdict, lang: str, audience: Audience, names: Mapping[str, str] | None = None) -> Story:
    """Put a verdict into words.

    Parameters
    ----------
    verdict : Verdict
    lang : {"en", "fr", "de"}
    audience : {"player", "support", "auditor"}
    names : dict of colour to name, optional
        By default the players are called by their colours, which makes an anonymous copy.

    Raises
    ------
    BgcoreError
        For an unknown language.
    """
    teller = _Teller(verdict, lang, audience, names)
    title = teller.say("TITLE")
    if audience != "player" and verdict.case_id is not None:
        title = teller.say("TITLE_CASE", id=" ".join(verdict.case_id.split()))
    return Story(title, teller.lead(), tuple(teller.sections()), lang, teller.names)
