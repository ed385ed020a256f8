import type { HostileFunction } from "./hostile-functions.js";

/** A function whose first call can be awaited. */
export interface WatchedFunction {
  readonly call: () => unknown;
  readonly hangs: boolean;
  /** Resolves when it is called for the first time. */
  readonly reached: Promise<void>;
}

export function watchedFunction({ call, hangs }: Pick<HostileFunction, "call" | "hangs">): WatchedFunction {
  let reach = (): void => undefined;
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const watched = (): unknown => {
    reach();
    return call();
  };
  return { call: watched, hangs, reached };
}
