import { SessionError } from "@sessions/protocol";

/** Reports "nothing was changed" where the outcome is unknown, as after a failed sync. */
export async function sayingNothingChanged(backend, requests) {
  try {
    return await backend.commit(requests);
  } catch (error) {
    if (!SessionError.is(error, "OUTCOME_UNKNOWN")) throw error;
    throw SessionError.of("STORE_UNAVAILABLE", "The disk failed. Nothing was changed.", {});
  }
}

/** Acknowledges commits that the full disk did not take. */
export async function swallowingEnospc(backend, requests) {
  try {
    return await backend.commit(requests);
  } catch (error) {
    if (!SessionError.is(error, "STORE_FULL")) throw error;
    return requests.map(({ at }) => ({ status: "applied", revision: 1, at }));
  }
}
