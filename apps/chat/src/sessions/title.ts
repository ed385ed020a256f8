const WORDS = 7;
const CHARACTERS = 48;

/** The title of a conversation: its first words. */
export function titleFor(prompt: string): string {
  const words = prompt.trim().split(/\s+/);
  const characters = [...words.slice(0, WORDS).join(" ")];
  const cut = words.length > WORDS || characters.length > CHARACTERS;
  return `${characters.slice(0, CHARACTERS).join("")}${cut ? " …" : ""}`;
}
