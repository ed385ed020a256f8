import type { SessionStore } from "@sessions/protocol";
import { behaviour } from "../../behaviour.js";
import type { Case, Guarantee } from "../../case.js";
import { ProcessGroup } from "../../multi-process/process-group.js";

/** A case with other processes. It applies to stores whose place has `otherProcess`. */
export function multiProcessCase(
  name: string,
  guarantees: readonly Guarantee[],
  run: (processes: ProcessGroup, store: SessionStore) => Promise<void>,
  applies: (store: SessionStore) => boolean = () => true,
): Case {
  return behaviour(
    name,
    guarantees,
    (store, context) => ProcessGroup.use(context, (processes) => run(processes, store)),
    {
      applies: (store, place) => place.otherProcess !== undefined && applies(store),
    },
  );
}

/** `prefix-0`, `prefix-1`…: the ids that a worker sends. */
export function idsFrom(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
}
