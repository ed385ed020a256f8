/** A word of a text, and where it stands there. */
export interface Word {
  /** As it is indexed. */
  readonly word: string;
  readonly from: number;
  readonly to: number;
  /** Part of a run that is written without spaces. */
  readonly isUnspaced: boolean;
}

/** Scripts that put no spaces between words. */
const UNSPACED =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";

/** Runs of such characters, then words of other scripts, then pictures. */
const RUNS = new RegExp(
  `([${UNSPACED}][${UNSPACED}\\p{M}ー]*)|([\\p{L}\\p{N}\\p{M}]+)|(\\p{Extended_Pictographic})`,
  "gu",
);

const MARKS = /\p{M}/gu;

/**
 * The words of a text. Case and accents do not matter. Of a run without spaces every pair of neighbours is a word, and the
 * last character too: so any part of it can be found.
 */
export function* wordsOf(text: string): Generator<Word> {
  for (const match of text.matchAll(RUNS)) {
    const [run, unspaced] = match;
    if (unspaced !== undefined) yield* pairsOf(unspaced, match.index);
    else {
      // A run may go over from one script to another without a space, as in "iPhoneを".
      yield* splitAtUnspaced(run, match.index);
    }
  }
}

function* splitAtUnspaced(run: string, at: number): Generator<Word> {
  const first = run.search(new RegExp(`[${UNSPACED}]`, "u"));
  const spaced = first < 0 ? run : run.slice(0, first);
  if (spaced !== "") yield { word: folded(spaced), from: at, to: at + spaced.length, isUnspaced: false };
  if (first >= 0) yield* wordsIn(run.slice(first), at + first);
}

function* wordsIn(text: string, at: number): Generator<Word> {
  for (const word of wordsOf(text)) yield { ...word, from: word.from + at, to: word.to + at };
}

function* pairsOf(run: string, at: number): Generator<Word> {
  const characters = [...run];
  let from = at;
  for (const [index, character] of characters.entries()) {
    const pair = character + (characters[index + 1] ?? "");
    yield { word: folded(pair), from, to: from + pair.length, isUnspaced: true };
    from += character.length;
  }
}

function folded(word: string): string {
  return word.normalize("NFKD").replace(MARKS, "").toLowerCase();
}
