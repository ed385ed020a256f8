/** The part of a worker that ends with its parent process and sends messages to it. */
export async function live(work: () => Promise<void>): Promise<void> {
  process.once("disconnect", () => process.exit()); // the parent has ended
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
