const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** East Asian scripts, their full-width forms and emoji take two columns. */
const WIDE =
  /[\u1100-\u115f\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|\ufe0f|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}/u;

const ASCII = /^[\x20-\x7e]*$/;

/** The columns that a text without line feeds and tabs takes on a terminal. */
export const textWidth = (text: string): number =>
  ASCII.test(text) ? text.length : graphemes(text).reduce((sum, one) => sum + columnsOf(one), 0);

/** The parts of a word that may stand on different lines: East Asian text has no spaces, and breaks between any characters. */
export function breakableParts(word: string): readonly string[] {
  if (ASCII.test(word)) return [word];
  const parts: string[] = [];
  let narrow = "";
  for (const grapheme of graphemes(word)) {
    if (columnsOf(grapheme) === 1) narrow += grapheme;
    else {
      if (narrow !== "") parts.push(narrow);
      parts.push(grapheme);
      narrow = "";
    }
  }
  return narrow === "" ? parts : [...parts, narrow];
}

/** The characters of a text as a reader sees them: a letter with its accents is one. */
const graphemes = (text: string): string[] => Array.from(GRAPHEMES.segment(text), ({ segment }) => segment);

const columnsOf = (grapheme: string): number => (WIDE.test(grapheme) ? 2 : 1);
