/** A worker's side: it lives as long as whoever started it, and says what it has to say. */
export async function live(work: () => Promise<void>): Promise<void> {
  process.once("disconnect", () => process.exit()); // nobody waits for the rest
  await work();
}

/** Tells the one who started this process. */
export function say(word: unknown): void {
  process.send?.(word);
}

/** Resolves when that one says something. */
export function nextWord(): Promise<unknown> {
  return new Promise((resolve) => process.once("message", resolve));
}
