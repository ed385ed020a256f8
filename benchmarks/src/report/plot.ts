import { type Bar, shareOfBar } from "../bar.js";
import type { Row } from "../row.js";
import { barText, figureIn } from "./figure.js";

const WIDTH = 900;
const LANE = 40;
const TOP = 44;
const LEFT = 20;
const PLOT = 620;
/** The plot ends at twice the bar. Larger figures are drawn to the edge. */
const SHARE = 2;
const BAR_AT = LEFT + PLOT / SHARE;

const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328; }
  .ground { fill: #ffffff; } .lane { fill: #eaeef2; } .met { fill: #2f81b7; } .missed { fill: #d1601f; }
  .bar { stroke: #1f2328; stroke-width: 2; } .alarm { font-weight: bold; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .ground { fill: #0d1117; } .lane { fill: #21262d; } .met { fill: #4c9fd4; } .missed { fill: #e8793a; }
    .bar { stroke: #e6edf3; }
  }`;

/** Every row that has a bar against it as an SVG: a lane is full up to the line where the figure is on its bar. */
export function plot(all: readonly Row[]): string {
  const rows = all.flatMap(({ bar, ...row }) => (bar === undefined ? [] : [{ ...row, bar }]));
  const height = TOP + rows.length * LANE + 12;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">`,
    `<title>Each measurement against its bar</title>`,
    `<style>${STYLE}\n</style>`,
    `<rect class="ground" width="${WIDTH}" height="${height}"/>`,
    `<text x="${BAR_AT}" y="22" text-anchor="middle">| is the bar: left of it is met, beyond it is missed</text>`,
    ...rows.map((row, index) => lane(row, TOP + index * LANE)),
    `</svg>`,
    "",
  ].join("\n");
}

function lane(row: Row & { readonly bar: Bar }, y: number): string {
  const figures = `${figureIn(row.unit, row.median)} (bar ${barText(row.bar, row.unit)})`;
  const verdict = row.met ? "" : ` <tspan class="alarm">MISSED</tspan>`;
  return [
    `<text x="${LEFT}" y="${y + 10}">${escaped(row.work)}</text>`,
    `<rect class="lane" x="${LEFT}" y="${y + 16}" width="${PLOT}" height="12" rx="2"/>`,
    `<rect class="${row.met ? "met" : "missed"}" x="${LEFT}" y="${y + 16}" width="${width(row.bar, row.median)}" height="12" rx="2"/>`,
    `<line class="bar" x1="${BAR_AT}" y1="${y + 13}" x2="${BAR_AT}" y2="${y + 31}"/>`,
    `<text x="${LEFT + PLOT + 10}" y="${y + 27}">${escaped(figures)}${verdict}</text>`,
  ].join("\n");
}

/** A row without a figure is drawn to the edge. */
function width(bar: Bar, median: number): string {
  const share = shareOfBar(bar, median);
  const shown = Number.isNaN(share) ? SHARE : Math.min(Math.max(share, 0), SHARE);
  return ((shown / SHARE) * PLOT).toFixed(1);
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
