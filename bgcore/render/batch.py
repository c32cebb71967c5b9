"""The summary of a batch of verdicts as a self-contained page."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from heapq import nlargest
from typing import TYPE_CHECKING, Any, Final

from bgcore.render import page

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

LISTED: Final = 200
"""How many cases are listed under each heading; all are counted."""
LARGEST: Final = 20
"""How many transfers are listed, the largest first."""


class _Summary:
    """Counts and short lists over verdicts; its size does not grow with their number."""

    def __init__(self) -> None:
        self.statuses: Counter[str] = Counter()
        self.bases: Counter[str] = Counter()
        self.policies: Counter[str] = Counter()
        self.transfers: Counter[str] = Counter()
        self.sums: dict[str, Decimal] = {}
        self.largest: list[tuple[Decimal, int, list[str]]] = []
        self.undecided: list[list[str]] = []
        self.rejected: list[list[str]] = []

    def add(self, number: int, verdict: Mapping[str, Any]) -> None:
        """Count one verdict, the ``number``-th."""
        name = str(verdict["case_id"] or f"line {number}")
        self.statuses[verdict["status"]] += 1
        if verdict["status"] == "rejected":
            if len(self.rejected) < LISTED:
                self.rejected += [[name, fault["code"], fault["path"], fault["message"]] for fault in verdict["errors"]]
            return
        self.bases[verdict["basis"]] += 1
        self.policies[verdict["policy"]["name"]] += 1
        if verdict["status"] == "undecided" and len(self.undecided) < LISTED:
            self.undecided.append([name, ", ".join(verdict["reasons"])])
        if verdict["transfer"] is not None:
            self._move(number, name, verdict)

    def _move(self, number: int, name: str, verdict: Mapping[str, Any]) -> None:
        currency, moved = verdict["currency"] or "", verdict["transfer"]
        amount = Decimal(moved["amount"])
        self.transfers[currency] += 1
        self.sums[currency] = self.sums.get(currency, Decimal(0)) + amount
        row = [name, f"{amount} {currency}".strip(), moved["from"], moved["to"], verdict["basis"]]
        self.largest = nlargest(LARGEST, [*self.largest, (amount, -number, row)])


def batch_page(verdicts: Iterable[Mapping[str, Any]], *, title: str = "Settled games") -> str:
    """Write a summary of many verdicts as an HTML page that loads nothing and runs nothing.

    Parameters
    ----------
    verdicts : iterable of dict
        Verdicts in JSON form, as ``Verdict.to_dict`` gives them; read once, in order.
    title : str
        The heading of the page.

    Returns
    -------
    str
        How many cases came out how, on what basis and under which policy; the money that moved; the largest
        transfers; and the cases that a person has to look at.
    """
    found = _Summary()
    for number, verdict in enumerate(verdicts, 1):
        found.add(number, verdict)
    parts = [
        page.section(heading, page.table((column, "cases"), _rows(counts), (1,)))
        for heading, column, counts in (
            ("Cases", "status", found.statuses),
            ("Basis", "basis", found.bases),
            ("Policies", "policy", found.policies),
        )
        if counts
    ]
    if found.sums:
        sums = [[currency, str(found.transfers[currency]), str(total)] for currency, total in found.sums.items()]
        parts.append(page.section("Money moved", page.table(("currency", "cases", "sum"), sums, (1, 2))))
        rows = [row for *_, row in found.largest]
        parts.append(page.section("Largest", page.table(("case", "amount", "from", "to", "basis"), rows, (1,))))
    if found.undecided:
        parts.append(page.section("To be decided by a person", page.table(("case", "reasons"), found.undecided)))
    if found.rejected:
        parts.append(page.section("Rejected", page.table(("case", "code", "where", "what"), found.rejected)))
    return page.page(title, parts, footer=f"{found.statuses.total()} cases")


def _rows(counts: Counter[str]) -> list[list[str]]:
    return [[name, str(count)] for name, count in counts.most_common()]
