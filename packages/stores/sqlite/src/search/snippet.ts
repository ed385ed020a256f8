import type { Terms } from "./query.js";
import { type Word, wordsOf } from "./words.js";

/** What stands around a word that was found. */
const HIGHLIGHT = { before: "⟪", after: "⟫" } as const;

const LENGTH = 160;
const LEAD = 40;
/** Who writes more than this gets a snippet of its beginning. */
const LOOKED_AT = 100_000;

/** A piece of a text with the words that were looked for, each between `⟪` and `⟫`. */
export function snippetOf(text: string, terms: Terms): string {
  const found = [...wordsOf(text.slice(0, LOOKED_AT))].flatMap((word) => markOf(word, terms, text) ?? []);
  const from = startOf(text, Math.max(0, (found[0]?.from ?? 0) - LEAD));
  const to = Math.min(text.length, from + LENGTH);
  const marks = merged(found.filter((word) => word.from >= from && word.to <= to));
  const piece = highlighted(text, from, to, marks).replace(/\s+/g, " ").trim();
  return `${from > 0 ? "…" : ""}${piece}${to < text.length ? "…" : ""}`;
}

/** Of a pair that is found by its first character, that character. */
function markOf({ word, from, to }: Word, { words, beginnings }: Terms, text: string): Mark | undefined {
  if (words.has(word)) return { from, to };
  if (!beginnings.some((beginning) => word.startsWith(beginning))) return undefined;
  const [first = ""] = text.slice(from, to); // by character, not by its halves
  return { from, to: from + first.length };
}

/** Not in the middle of a word, nor between the halves of a character. */
function startOf(text: string, from: number): number {
  if (from === 0) return 0;
  const space = text.slice(from, from + LEAD).search(/\s/);
  return space >= 0
    ? from + space + 1
    : text.slice(0, from).toWellFormed() === text.slice(0, from)
      ? from
      : from - 1;
}

interface Mark {
  readonly from: number;
  readonly to: number;
}

/** Pairs that overlap become one mark. */
function merged(words: readonly Mark[]): readonly Mark[] {
  const marks: Mark[] = [];
  for (const { from, to } of words) {
    const last = marks.at(-1);
    if (last !== undefined && from <= last.to && from < to)
      marks[marks.length - 1] = { from: last.from, to: Math.max(to, last.to) };
    else marks.push({ from, to });
  }
  return marks;
}

function highlighted(text: string, from: number, to: number, marks: readonly Mark[]): string {
  let result = "";
  let at = from;
  for (const mark of marks) {
    result += `${text.slice(at, mark.from)}${HIGHLIGHT.before}${text.slice(mark.from, mark.to)}${HIGHLIGHT.after}`;
    at = mark.to;
  }
  return result + text.slice(at, to);
}
