import { AsyncLocalStorage } from "node:async_hooks";
import { onTestFinished, type TestContext } from "vitest";

type OnTestEnd = (end: () => unknown) => void;

const current = new AsyncLocalStorage<OnTestEnd>();

/**
 * Lets concurrent tests use these tools: `test.concurrent.for(kinds)("…", withTestCleanup(async (kind) => …))`. What such a test
 * opens is closed when that test ends. Without this, Vitest may take another running test for the current one.
 */
export function withTestCleanup<Args extends readonly unknown[]>(
  run: (...args: Args) => Promise<void>,
): (...args: [...Args, TestContext]) => Promise<void> {
  return (...args) => {
    const context: unknown = args.at(-1);
    if (!isContext(context))
      throw new TypeError("A test without a context: use test or test.for, not test.each.");
    return current.run(
      (end) => context.onTestFinished(async () => void (await end())),
      () => Reflect.apply(run, undefined, args.slice(0, -1)),
    );
  };
}

/** Calls `end` when the current test has ended, whether it passed or failed. */
export const onTestEnd: OnTestEnd = (end) => {
  const onCurrentEnd = current.getStore();
  if (onCurrentEnd === undefined) onTestFinished(async () => void (await end()));
  else onCurrentEnd(end);
};

function isContext(value: unknown): value is TestContext {
  return typeof value === "function" && "onTestFinished" in value; // Vitest's context is a function
}
