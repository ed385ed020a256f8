import { type ErrorCode, SessionError } from "@sessions/protocol";

/** A read whose failure with one of these codes is treated as absence. */
export async function readAsAbsence<Result>(
  reading: Promise<Result | undefined>,
  ...codes: readonly ErrorCode[]
): Promise<Result | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (SessionError.is(error, ...codes)) return undefined;
    throw error;
  }
}
