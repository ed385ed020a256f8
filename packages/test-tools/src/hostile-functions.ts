/** A user function that misbehaves. */
export interface HostileFunction {
  readonly how: string;
  readonly call: () => unknown;
  /** Whether it never settles, so that only a deadline or an abort ends the wait. */
  readonly hangs: boolean;
}

/** User functions that misbehave in every way. */
export function hostileFunctions(): readonly HostileFunction[] {
  return [
    { how: "hangs", hangs: true, call: () => new Promise<never>(() => undefined) },
    ...thrown().flatMap(([what, error]) => [
      {
        how: `throws ${what} synchronously`,
        hangs: false,
        call: () => {
          throw error;
        },
      },
      { how: `rejects with ${what}`, hangs: false, call: () => Promise.reject(error) },
    ]),
    ...garbage().map(([what, value]) => ({ how: `returns ${what}`, hangs: false, call: () => value })),
  ];
}

function thrown(): readonly (readonly [string, unknown])[] {
  return [
    ["an Error", new Error("thrown by a test")],
    ["a string", "thrown by a test"],
    ["undefined", undefined],
    ["an object without a prototype", Object.create(null)],
    ["an error whose fields throw", errorWhoseFieldsThrow()],
    ["a frozen error", Object.freeze(new Error("frozen"))],
    ["an error with a message of 9 MB", new Error("m".repeat(9_000_000))],
  ];
}

function errorWhoseFieldsThrow(): Error {
  const error = new Error("never seen");
  // The stack first: it is computed when it is replaced, which reads the other fields.
  for (const field of ["stack", "message", "name", "cause", "code", "toString"]) {
    Object.defineProperty(error, field, {
      get() {
        throw new Error(`reading ${field} throws`);
      },
    });
  }
  return error;
}

function garbage(): readonly (readonly [string, unknown])[] {
  const cyclic: { self?: unknown } = {};
  cyclic.self = cyclic;
  return [
    ["undefined", undefined],
    ["null", null],
    ["a number", Number.NaN],
    ["a symbol", Symbol("garbage")],
    ["a cyclic object", cyclic],
    ["an array of null", [null]],
    ["a promise of garbage", Promise.resolve(cyclic)],
    ["a thenable that throws", throwingThenable()],
  ];
}

function throwingThenable(): object {
  const method = "then";
  return {
    [method]: () => {
      throw new Error("then throws");
    },
  };
}
