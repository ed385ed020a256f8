/** A text in the pieces in which it is streamed: a word, and the space behind it. Nothing is left out. */
export const words = (text: string): readonly string[] => text.match(/\s*\S+\s*|\s+/g) ?? [];
