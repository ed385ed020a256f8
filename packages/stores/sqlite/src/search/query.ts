import { type Word, wordsOf } from "./words.js";

/** More words than this say nothing more. */
const WORDS_AT_MOST = 32;

/** What to look for: all of these, in any order. */
export interface Terms {
  /** For MATCH. Every word is quoted, so that nothing in it is an operator. */
  readonly match: string;
  /** The words that are highlighted. */
  readonly words: ReadonlySet<string>;
  /** Single characters of a script without spaces: words that begin with one of them are meant. */
  readonly beginnings: readonly string[];
}

/** The words in what a user typed. `undefined` if there are none: then nothing can be found. */
export function termsOf(text: string): Terms | undefined {
  const phrases = [...phrasesOf([...wordsOf(text)])].slice(0, WORDS_AT_MOST);
  if (phrases.length === 0) return undefined;
  return {
    match: phrases.map(({ sql }) => sql).join(" AND "),
    words: new Set(phrases.flatMap(({ words }) => words)),
    beginnings: phrases.flatMap(({ beginning }) => beginning ?? []),
  };
}

interface Phrase {
  readonly sql: string;
  readonly words: readonly string[];
  readonly beginning?: string;
}

function* phrasesOf(words: readonly Word[]): Generator<Phrase> {
  let run: Word[] = [];
  for (const word of words) {
    const last = run.at(-1);
    // The pairs of one run overlap by a character: they must be found side by side.
    if (last !== undefined && !(word.isUnspaced && word.from < last.to)) {
      yield phraseOf(run);
      run = [];
    }
    if (word.isUnspaced) run.push(word);
    else yield { sql: quoted(word.word), words: [word.word] };
  }
  if (run.length > 0) yield phraseOf(run);
}

/** A run without spaces. Its last character is a word of its own only where the run ends in the text too. */
function phraseOf(run: readonly Word[]): Phrase {
  const [only] = run;
  if (run.length === 1 && only !== undefined)
    return { sql: `${quoted(only.word)}*`, words: [], beginning: only.word };
  const pairs = run.slice(0, -1).map(({ word }) => word);
  return { sql: quoted(pairs.join(" ")), words: pairs };
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
