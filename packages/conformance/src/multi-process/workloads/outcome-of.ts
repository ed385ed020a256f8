import { type ErrorCode, SessionError } from "@sessions/protocol";

/** A result, or the code of an expected error. */
export type Outcome<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly code: ErrorCode };

/** Makes a call that may fail with one of these codes. Any other failure is rethrown. */
export async function outcomeOf<Result>(
  call: () => Promise<Result>,
  ...codes: readonly ErrorCode[]
): Promise<Outcome<Result>> {
  try {
    return { ok: true, result: await call() };
  } catch (error) {
    if (SessionError.is(error, ...codes)) return { ok: false, code: error.code };
    throw error;
  }
}
