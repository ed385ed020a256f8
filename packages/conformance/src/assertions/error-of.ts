/** A promise, or a function that may also throw before it returns one. */
export type Attempt = PromiseLike<unknown> | (() => unknown);

/** What the attempt fails with. Throws if it succeeds. */
export async function errorOf(attempt: Attempt): Promise<unknown> {
  let result: unknown;
  try {
    result = await (typeof attempt === "function" ? attempt() : attempt);
  } catch (error) {
    return error;
  }
  throw new Error(`expected a failure, but it succeeded with ${JSON.stringify(result)}`);
}
