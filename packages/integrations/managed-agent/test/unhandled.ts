import { onTestFinished } from "vitest";

/** Rejections that nobody handles from now on, until the test is over. */
export function unhandledRejections(): unknown[] {
  const seen: unknown[] = [];
  const listener = (reason: unknown): void => void seen.push(reason);
  process.on("unhandledRejection", listener);
  onTestFinished(() => void process.off("unhandledRejection", listener));
  return seen;
}

/** Resolves when a rejection that was left behind would have been reported. */
export async function rejectionsReported(): Promise<void> {
  for (let turns = 0; turns < 3; turns++) await new Promise<void>((resolve) => setImmediate(resolve));
}
