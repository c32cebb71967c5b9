"""Self-contained HTML pages: one file, no script, nothing loaded from anywhere, readable on a phone and in print."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

STYLE = """\
:root{color-scheme:light}
*{box-sizing:border-box}
body{margin:0 auto;padding:1rem;max-width:60rem;font:1rem/1.5 system-ui,"Segoe UI",Helvetica,Arial,sans-serif;\
color:#1c1c1c;background:#fff}
h1{font-size:1.5rem;line-height:1.25;margin:.5rem 0}
h2{font-size:1.1rem;margin:1.75rem 0 .5rem;border-bottom:1px solid #999}
p{margin:.4rem 0}
.lead{font-size:1.2rem;border-left:.3rem solid #1c1c1c;padding:.3rem .8rem;margin:1rem 0}
.boards{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,19rem),1fr));gap:1rem}
figure{margin:0;break-inside:avoid}
figcaption{font-size:.9rem}
svg{display:block;width:100%;height:auto}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:.3rem .6rem .3rem 0;border-bottom:1px solid #ccc;vertical-align:top}
.number{text-align:right}
code{font:.85em/1.4 ui-monospace,Menlo,Consolas,monospace;overflow-wrap:anywhere}
footer,p,td{overflow-wrap:anywhere}.number{white-space:nowrap}
footer{margin-top:2rem;font-size:.85rem;color:#444}
@media print{body{max-width:none;padding:0;font-size:10pt}.scroll{overflow:visible}h2{break-after:avoid}}"""

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def page(title: str, body: Iterable[str], *, lang: str = "en", footer: str = "") -> str:
    """Put parts of HTML together into one document.

    Parameters
    ----------
    title : str
        Plain text; the heading of the page too.
    body : iterable of str
        HTML, already escaped.
    lang : str
        The language of the page.
    footer : str
        Plain text for the end.

    Returns
    -------
    str
        The document. Its content security policy forbids scripts and everything that would be loaded.
    """
    return "\n".join(
        [
            "<!DOCTYPE html>",
            f'<html lang="{escape(lang)}">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title>",
            f"<style>{STYLE}</style>",
            "</head>",
            "<body>",
            f"<h1>{escape(title)}</h1>",
            *body,
            f"<footer>{escape(footer)}</footer>" if footer else "",
            "</body>",
            "</html>\n",
        ]
    )


def section(title: str, *parts: str) -> str:
    """Put a heading (plain text) above parts of HTML."""
    return "\n".join([f"<section><h2>{escape(title)}</h2>", *parts, "</section>"])


def paragraphs(texts: Iterable[str], kind: str = "") -> str:
    """Turn plain texts into paragraphs."""
    opening = f'<p class="{kind}">' if kind else "<p>"
    return "\n".join(f"{opening}{escape(text)}</p>" for text in texts)


def table(head: Sequence[str], rows: Iterable[Sequence[str]], numbers: Iterable[int] = ()) -> str:
    """Turn plain texts into a table; ``numbers`` are the columns aligned to the right."""
    right = frozenset(numbers)

    def line(cells: Sequence[str], tag: str) -> str:
        kinds = [' class="number"' if column in right else "" for column in range(len(cells))]
        marked = [f"<{tag}{kind}>{escape(cell)}</{tag}>" for cell, kind in zip(cells, kinds, strict=True)]
        return f"<tr>{''.join(marked)}</tr>"

    lines = [f"<thead>{line(head, 'th')}</thead>", "<tbody>", *(line(row, "td") for row in rows), "</tbody>"]
    return "\n".join(['<div class="scroll"><table>', *lines, "</table></div>"])


def code(text: str) -> str:
    """Show a plain text as something to be typed."""
    return f"<p><code>{escape(text)}</code></p>"


def figure(svg: str, caption: str) -> str:
    """Put a plain-text caption below a picture."""
    below = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    return f"<figure>{svg}{below}</figure>"
