/**
 * The error of a turn that could not be ended either: the error that began it, with the failed end as its `cause`.
 * Where it cannot carry a cause (it has one, it is frozen, it is no error), both are in an AggregateError.
 */
export function combinedTurnError(error: unknown, unended: unknown): unknown {
  if (error === unended) return error;
  return canCarryCause(error) && Reflect.set(error, "cause", unended)
    ? error
    : new AggregateError([error, unended], "The turn failed, and its end could not be saved.");
}

function canCarryCause(error: unknown): error is Error {
  try {
    return error instanceof Error && error.cause === undefined;
  } catch {
    return false; // a `cause` that cannot even be read
  }
}
