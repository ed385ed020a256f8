import { SessionError } from "@sessions/protocol";

/** Says that nothing has changed where nobody knows, as after a failed sync. */
export async function sayingNothingChanged(backend, requests) {
  try {
    return await backend.commit(requests);
  } catch (error) {
    if (!SessionError.is(error, "OUTCOME_UNKNOWN")) throw error;
    throw SessionError.of("STORE_UNAVAILABLE", "The disk failed. Nothing was changed.", {});
  }
}

/** Acknowledges what there was no room for. */
export async function swallowingEnospc(backend, requests) {
  try {
    return await backend.commit(requests);
  } catch (error) {
    if (!SessionError.is(error, "STORE_FULL")) throw error;
    return requests.map(({ at }) => ({ status: "applied", revision: 1, at }));
  }
}
