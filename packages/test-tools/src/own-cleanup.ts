import { AsyncLocalStorage } from "node:async_hooks";
import { onTestFinished, type TestContext } from "vitest";

type OnTestEnd = (end: () => unknown) => void;

const current = new AsyncLocalStorage<OnTestEnd>();

/**
 * Makes a test fit to run beside others: `test.concurrent.for(kinds)("…", ownCleanup(async (kind) => …))`. What it opens with these tools is
 * closed when it ends itself. Vitest knows only one current test, which may be another one.
 */
export function ownCleanup<Args extends readonly unknown[]>(
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

/** Calls `end` when the present test is over, passed or failed. */
export const onTestEnd: OnTestEnd = (end) => {
  const own = current.getStore();
  if (own === undefined) onTestFinished(async () => void (await end()));
  else own(end);
};

function isContext(value: unknown): value is TestContext {
  return typeof value === "function" && "onTestFinished" in value; // Vitest's context is a function
}
