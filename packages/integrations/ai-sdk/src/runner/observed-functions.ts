import { ignoreRejection } from "@sessions/turn-runner";

/**
 * The same options with functions that may be async where the SDK expects no promise: a rejection that the SDK does not await would end the
 * process.
 */
export function observedFunctions<Options extends object>(options: Options): Options {
  const observed = { ...options };
  for (const [name, value] of Object.entries(options))
    Reflect.set(observed, name, Array.isArray(value) ? value.map(observing) : observing(value));
  return observed;
}

function observing(value: unknown): unknown {
  if (typeof value !== "function") return value;
  return (...args: readonly unknown[]): unknown => {
    const result: unknown = Reflect.apply(value, undefined, args);
    if (result instanceof Promise) ignoreRejection(result);
    return result;
  };
}
