import { SessionError, systemClock } from "@sessions/protocol";

/**
 * What a function of the user comes to, if it comes to anything in time. A late one is left behind: what it says later,
 * or throws, reaches nobody.
 */
export async function within<Value>(deadlineMs: number, call: () => Value): Promise<Awaited<Value>> {
  let cancel: () => void = () => undefined;
  const late = new Promise<never>((_, reject) => {
    cancel = systemClock.after(deadlineMs, () => reject(tooLate(deadlineMs)));
  });
  const called = async (): Promise<Awaited<Value>> => await call();
  try {
    return await Promise.race([called(), late]);
  } finally {
    cancel();
  }
}

function tooLate(deadlineMs: number): SessionError {
  const message = `The update was not handled within ${deadlineMs} ms. It may be delivered again.`;
  return SessionError.of("TURN_LOST", message, { reason: "expired" });
}
