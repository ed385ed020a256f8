/**
 * The error of a turn that could not even be ended: the caller gets the error that began it, with why the end could not
 * be saved as its cause. Where it has a cause of its own, or is no error, both are told.
 */
export function unendedFailure(error: unknown, unended: unknown): unknown {
  if (error === unended) return error;
  if (!(error instanceof Error) || error.cause !== undefined || !Object.isExtensible(error))
    return new AggregateError([error, unended], "The turn failed, and its end could not be saved.");
  error.cause = unended;
  return error;
}
