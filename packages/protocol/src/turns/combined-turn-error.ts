/**
 * The error of a turn that failed and could not be ended: the first error, with the error of the end as its `cause`. If
 * it cannot carry a cause (it has one, it is frozen, it is no error), an AggregateError contains both.
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
    return false; // a `cause` that throws when it is read
  }
}
