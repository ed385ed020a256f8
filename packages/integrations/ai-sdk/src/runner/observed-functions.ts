/**
 * The same options, whose functions may be async where the SDK expects no promise: a rejection that the SDK does not wait for
 * would end the whole process.
 */
export function observedFunctions<Options extends object>(options: Options): Options {
  const observed = { ...options };
  for (const [name, value] of Object.entries(options))
    Reflect.set(observed, name, Array.isArray(value) ? value.map(observing) : observing(value));
  return observed;
}

function observing(value: unknown): unknown {
  if (typeof value !== "function") return value;
  return (...given: readonly unknown[]): unknown => {
    const result: unknown = Reflect.apply(value, undefined, given);
    if (result instanceof Promise) void Promise.allSettled([result]);
    return result;
  };
}
