import { openJsonFileBackend } from "@sessions/json-file/maintenance";
import { createStore } from "@sessions/protocol/backend";
import { withMethods } from "run-tools";

/** A json-file store with a broken backend: `fault` returns the methods to replace. */
export async function withBackend(root, clock, fault) {
  const backend = await openJsonFileBackend({ root, clock });
  return createStore(withMethods(backend, fault(backend)), { clock });
}
