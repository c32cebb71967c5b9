"""Pages of verdicts in a real browser: nothing is asked for or blocked, nothing is cut off, on screen or paper."""

import html
import json
import re
import shutil
import subprocess

import pytest

from bgcore import adjudication as adj
from tests.adjudication_records import match_record, money_record
from tests.foreign import ENVIRONMENT

CHROMIUM = shutil.which("chromium")
PHONE, PAPER = 390, 718
"""Widths in CSS pixels: a phone, and A4 between the usual margins."""

BOARD = {
    "white": {"points": {"6": 3, "5": 2, "8": 3, "13": 4, "24": 1, "21": 2}, "bar": 0, "off": 0},
    "black": {"points": {"6": 4, "5": 1, "8": 3, "13": 4, "24": 2}, "bar": 1, "off": 0},
}
QUICK = {"precision": {"profile": "draft", "max_trials": 36}}
NAMES = {"white": "Maximilian-Alexander von Hohenstein", "black": "Ben"}
SAID = {
    "en": ("As Ben saw it", "Ruling on an abandoned game"),
    "fr": ("Vue par Ben", "Décision sur une partie interrompue"),
    "de": ("Aus Sicht von Ben", "Entscheidung über ein abgebrochenes Spiel"),
}
# Every page stands in a frame of each width; the frame's own script measures it, so the page itself runs none.
FRAME = """
function wide(frame) {
  const page = frame.contentDocument, root = page.documentElement, seat = page.defaultView;
  const over = [...page.querySelectorAll("body *")].filter(
    (one) => one.getBoundingClientRect().right > frame.clientWidth + 1).map((one) => one.tagName);
  const hidden = [...page.querySelectorAll(".scroll")].filter((one) => one.scrollWidth > one.clientWidth + 1).length;
  const lines = [...page.querySelectorAll("svg")].map((svg) => [...svg.querySelectorAll("text")]
    .map((text) => text.getBBox()).filter((box) => box.height > 0));
  let clashes = 0;
  for (const boxes of lines) for (let i = 0; i < boxes.length; i++) for (let k = 0; k < i; k++) {
    const a = boxes[i], b = boxes[k];
    if (a.x < b.x + b.width && b.x < a.x + a.width && a.y + 2 < b.y + b.height && b.y + 2 < a.y + a.height) clashes++;
  }
  return {lang: root.lang, width: frame.clientWidth, scroll: root.scrollWidth, over, hidden, clashes,
    boards: lines.length, text: page.body.innerText, asked: seat.performance.getEntriesByType("resource").length};
}
addEventListener("load", () => {
  const found = [...document.querySelectorAll("iframe")].map(wide);
  document.body.textContent = JSON.stringify(found);
});
"""


def flags(folder):
    """Flags for a browser that has no network and says on standard error what a page's console would show."""
    return [
        CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
        "--disable-component-update", "--disable-sync", "--disable-quic", "--host-resolver-rules=MAP * ~NOTFOUND",
        "--enable-logging=stderr", f"--user-data-dir={folder / 'profile'}",
    ]  # fmt: skip


def pages():
    """Return a pending double, explained to an auditor in three languages, and a match with rolled dice."""
    doubled = adj.adjudicate(
        money_record(
            board=BOARD,
            cube={"value": 2, "owner": "white"},
            pending={"type": "double", "by": "white"},
            money__limit="32.00",
            money__rake="0.05",
        ),
        QUICK,
    )
    gone = {"white": {"away": True, "seconds": 200}, "black": {"away": False}}
    match = adj.adjudicate(match_record(board=BOARD, on_roll="black", dice=[6, 1], absence=gone), QUICK)
    return [
        adj.explain(verdict, lang, audience="auditor", fmt="html", names=NAMES)
        for lang, verdict in (("en", doubled), ("fr", doubled), ("de", doubled), ("fr", match))
    ]


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_pages_in_a_browser(tmp_path):
    shown = pages()
    frames = [
        f'<iframe srcdoc="{html.escape(page)}" width="{width}" height="900" style="border:0"></iframe>'
        for page in shown
        for width in (PHONE, PAPER)
    ]
    folder = tmp_path / "frames.html"
    folder.write_text(f"<meta charset=utf-8><body>{''.join(frames)}<script>{FRAME}</script>", encoding="utf-8")
    command = [*flags(tmp_path), "--window-size=1000,900", "--dump-dom", folder.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True, env=ENVIRONMENT)
    assert "CONSOLE" not in done.stderr, "a page's console has something to say: a blocked request, a script error"
    found = json.loads(html.unescape(re.search(r"<body>(.*)</body>", done.stdout, re.DOTALL)[1]))
    assert len(found) == 2 * len(shown)
    for page in found:
        assert page["asked"] == 0
        assert page["boards"] == 3, "two boards and the course of the rollout"
        assert page["clashes"] == 0, "texts of a picture lie upon each other"
        assert all(said in page["text"] for said in SAID[page["lang"]])
        assert page["scroll"] <= page["width"]
        if page["width"] == PAPER:
            assert page["over"] == []
            assert page["hidden"] == 0, "paper does not scroll"


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_a_page_can_be_printed(tmp_path):
    page, paper = tmp_path / "page.html", tmp_path / "page.pdf"
    page.write_text(pages()[2], encoding="utf-8")
    command = [*flags(tmp_path), f"--print-to-pdf={paper}", "--no-pdf-header-footer", page.as_uri()]
    subprocess.run(command, capture_output=True, timeout=120, check=True, env=ENVIRONMENT)
    written = paper.read_bytes()
    assert written.startswith(b"%PDF-")
    assert 1 < len(re.findall(rb"/Type\s*/Page\b", written)) < 6
