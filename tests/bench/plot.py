"""A plot as SVG: points on two logarithmic axes, with the straight line of growth in proportion beside them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from xml.sax.saxutils import escape

Place = Callable[[float, float], tuple[float, float]]
WIDTH, HEIGHT = 560, 320
LEFT, RIGHT, TOP, BOTTOM = 70, 20, 40, 50
STYLE = "text{font:13px sans-serif;fill:#444}.t{font-weight:bold}.g{stroke:#ddd}"


def svg(points: Sequence[tuple[int, float]], title: str, across: str, up: str) -> str:
    """Return the drawing; ``across`` and ``up`` name the axes."""
    xs, ys = [float(x) for x, _ in points], [y for _, y in points]
    across += " (dashed: in proportion)"
    linear = [ys[0], ys[0] * xs[-1] / xs[0]]
    low, high = min(*ys, *linear), max(*ys, *linear)

    def place(x: float, y: float) -> tuple[float, float]:
        return (
            LEFT + (WIDTH - LEFT - RIGHT) * _share(x, xs[0], xs[-1]),
            HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * _share(y, low, high),
        )

    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" role="img">',
            f"<title>{escape(title)}</title><style>{STYLE}</style>",
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
            f'<text class="t" x="{LEFT}" y="22">{escape(title)}</text>',
            *_grid(xs, low, high, place),
            f'<text x="{WIDTH / 2}" y="{HEIGHT - 10}" text-anchor="middle">{escape(across)}</text>',
            f'<text transform="translate(16 {HEIGHT / 2}) rotate(-90)" text-anchor="middle">{escape(up)}</text>',
            _line([place(xs[0], linear[0]), place(xs[-1], linear[1])], 'stroke="#bbb" stroke-dasharray="5 4"'),
            _line([place(x, y) for x, y in points], 'stroke="#06c" stroke-width="2"'),
            *(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="#06c"/>' for x, y in (place(*point) for point in points)),
            "</svg>\n",
        ]
    )


def _share(value: float, low: float, high: float) -> float:
    return math.log(value / low) / math.log(high / low) if high > low else 0.5


def _grid(xs: Sequence[float], low: float, high: float, place: Place) -> Iterator[str]:
    for x in xs:
        at, bottom = place(x, low)
        yield f'<line class="g" x1="{at:.1f}" y1="{TOP}" x2="{at:.1f}" y2="{bottom:.1f}"/>'
        yield f'<text x="{at:.1f}" y="{bottom + 18:.1f}" text-anchor="middle">{x:,.0f}</text>'
    for step in range(4):
        y = low * (high / low) ** (step / 3)
        left, at = place(xs[0], y)
        yield f'<line class="g" x1="{left:.1f}" y1="{at:.1f}" x2="{WIDTH - RIGHT}" y2="{at:.1f}"/>'
        yield f'<text x="{LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{_number(y)}</text>'


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2g}"


def _line(places: Sequence[tuple[float, float]], style: str) -> str:
    return f'<polyline fill="none" {style} points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in places)}"/>'
