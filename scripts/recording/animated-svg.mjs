const CHARACTER_WIDTH = 8;
const LINE_HEIGHT = 18;
const PADDING = 14;
const TITLE_HEIGHT = 30;

/** Pieces that come within this time appear together, which keeps the file small. */
const FRAME_MS = 40;
const FIRST_FRAME_MS = 1500;
const LAST_FRAME_MS = 6000;

const STYLE = `text{font:13.333px ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;fill:#e6edf3;white-space:pre}
.dim{fill:#9198a1}.bold{font-weight:bold}.alarming{fill:#ff7b72}`;

/**
 * Draws the text of a terminal as an SVG that plays it again and again, in its own time, by CSS alone. The first frame has
 * everything up to the text `firstFrame`. For readers who want no motion, the last frame is shown.
 */
export function animatedSvg(text, { columns, rows, title, firstFrame }) {
  const frames = framesOf(text, firstFrame);
  const duration = (frames.at(-1)?.at ?? 0) + LAST_FRAME_MS;
  const [width, height] = [columns * CHARACTER_WIDTH + 2 * PADDING, rows * LINE_HEIGHT + 2 * PADDING];
  const scrolls = scrollsOf(frames, rows);
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height + TITLE_HEIGHT}" width="${width}" height="${height + TITLE_HEIGHT}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>${STYLE}`,
    `@media (prefers-reduced-motion:no-preference){.t,.s{animation:${duration}ms step-end infinite}}`,
    ...frames.filter(({ at }) => at > 0).map(({ at }) => appearing(at, duration)),
    scrolling(scrolls, duration),
    "</style>",
    `<rect width="${width}" height="${height + TITLE_HEIGHT}" rx="8" fill="#0d1117" stroke="#30363d"/>`,
    ...["#ff5f57", "#febc2e", "#28c840"].map(
      (colour, at) => `<circle cx="${PADDING + 6 + at * 20}" cy="17" r="6" fill="${colour}"/>`,
    ),
    `<text class="dim" x="${width / 2}" y="22" text-anchor="middle">${escaped(title)}</text>`,
    `<svg x="${PADDING}" y="${TITLE_HEIGHT + PADDING}" width="${columns * CHARACTER_WIDTH}" height="${rows * LINE_HEIGHT}" xml:space="preserve">`,
    "<title>The terminal</title>",
    `<g class="s">`,
    ...frames.flatMap(({ at, runs }) => runs.map((run) => drawn(run, at))),
    "</g>",
    "</svg>",
    "</svg>",
  ];
  return `${lines.join("\n")}\n`;
}

/** The runs of text by the time at which they appear, with neighbours on a row as one run. */
function framesOf(text, firstFrame) {
  const start = text.find((run) => run.text.includes(firstFrame))?.at;
  if (start === undefined) throw new Error(`the recording has no "${firstFrame}"`);
  const frames = [];
  for (const { at, ...run } of text) {
    const due = at <= start ? 0 : FIRST_FRAME_MS + Math.floor((at - start) / FRAME_MS) * FRAME_MS;
    if (frames.at(-1)?.at !== due) frames.push({ at: due, runs: [] });
    add(frames.at(-1).runs, run);
  }
  return frames;
}

function add(runs, run) {
  const last = runs.at(-1);
  const continues =
    last?.row === run.row && last.style === run.style && last.column + last.text.length === run.column;
  if (continues) last.text += run.text;
  else runs.push({ ...run });
}

/** The first visible row, and the times at which it changes. */
function scrollsOf(frames, rows) {
  const scrolls = [{ at: 0, row: 0 }];
  for (const { at, runs } of frames) {
    const row = Math.max(0, ...runs.map((run) => run.row - rows + 1));
    if (row > scrolls.at(-1).row) scrolls.push({ at, row });
  }
  return scrolls;
}

/** A piece is hidden from the beginning until its time. */
const appearing = (at, duration) =>
  `.t${at}{animation-name:t${at}}@keyframes t${at}{0%{visibility:hidden}${percent(at, duration)}{visibility:visible}}`;

function scrolling(scrolls, duration) {
  const move = (row) => `{transform:translateY(${-row * LINE_HEIGHT}px)}`;
  const steps = scrolls.map(({ at, row }) => `${percent(at, duration)}${move(row)}`);
  return `.s${move(scrolls.at(-1).row)}.s{animation-name:s}@keyframes s{${steps.join("")}}`;
}

const percent = (at, duration) => `${Number(((at / duration) * 100).toFixed(3))}%`;

function drawn({ row, column, style, text }, at) {
  const classes = [...(at > 0 ? ["t", `t${at}`] : []), ...(style === undefined ? [] : [style])].join(" ");
  const y = row * LINE_HEIGHT + LINE_HEIGHT - 5;
  const length = text.length * CHARACTER_WIDTH;
  // The fonts of readers differ in width. With its length, each run keeps to the columns.
  return `<text${classes === "" ? "" : ` class="${classes}"`} x="${column * CHARACTER_WIDTH}" y="${y}" textLength="${length}" lengthAdjust="spacingAndGlyphs">${escaped(text)}</text>`;
}

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
