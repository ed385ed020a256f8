/** Splits a text for streaming: each piece is a word and the space after it. */
export const words = (text: string): readonly string[] => text.match(/\s*\S+\s*|\s+/g) ?? [];
