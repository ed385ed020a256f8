import type { FailingBackend, WriteFailure } from "@sessions/conformance";
import { type SessionBackend, SessionError } from "@sessions/protocol/backend";

/** Takes nothing while it fails, or takes everything and does not say so. */
export function failingBackend(backend: SessionBackend, kind: WriteFailure): FailingBackend {
  let isFailing = false;
  const commit: SessionBackend["commit"] = async (requests) => {
    if (isFailing && kind === "refused")
      throw SessionError.of("STORE_FULL", "There is no room left. Make room and try again.", {});
    const outcomes = await backend.commit(requests);
    if (isFailing)
      throw SessionError.of(
        "OUTCOME_UNKNOWN",
        "The engine did not confirm it. The same call again is safe.",
        {
          commitId: "",
        },
      );
    return outcomes;
  };
  const fail = (): (() => void) => {
    isFailing = true;
    return () => {
      isFailing = false;
    };
  };
  return { backend: { ...backend, commit }, fail };
}
