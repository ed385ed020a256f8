import type { Json, JsonObject, OperationInput, Session, SessionStore } from "@sessions/protocol";
import { set } from "@sessions/protocol";
import { isRecord, requireRecord } from "./argument.js";
import type { ComputeHooks } from "./options.js";
import { COMPUTE_KEY } from "./session/agent-record.js";
import { sessionNotFound } from "./session/session-not-found.js";

/** What a session says about its compute: the key is there before the thing is made, and until it is gone. */
interface ComputeRecord {
  readonly key: string;
  readonly status: "provisioning" | "ready" | "releasing";
  readonly compute?: JsonObject;
}

/** Where compute is kept, and how it is made. */
export interface ComputePlace {
  readonly store: SessionStore;
  readonly sessionId: string;
  readonly hooks: ComputeHooks;
  readonly newId: () => string;
}

/** Makes the session's compute, or tells what there is. Whoever crashed before is repeated with the same key. */
export async function provisionCompute(place: ComputePlace): Promise<JsonObject> {
  for (;;) {
    const record = await change(place, (held) => held ?? { key: place.newId(), status: "provisioning" });
    if (record?.status === "releasing") await release(place, record);
    else if (record?.compute !== undefined) return record.compute;
    else if (record !== undefined) {
      const made = await make(place, record.key);
      if (made !== undefined) return made;
    }
  }
}

/** Releases the session's compute and forgets it. `false` if there was none. */
export async function shutdownCompute(place: ComputePlace): Promise<boolean> {
  const held = recordIn(await place.store.getSession(place.sessionId, { messages: "none" }));
  if (held === undefined) return false;
  // One that was being made when its maker died: only its key is known, so it is made to be released.
  if (held.status === "provisioning") await make(place, held.key);
  const record = await change(place, (now) =>
    now?.key === held.key ? { ...now, status: "releasing" } : now,
  );
  if (record?.key === held.key) await release(place, record);
  return true;
}

/** Makes it under its key and stores it. `undefined` if it was released meanwhile: then it is gone again. */
async function make(place: ComputePlace, key: string): Promise<JsonObject | undefined> {
  const { sessionId, hooks } = place;
  const compute = requireCompute(await hooks.provision({ sessionId, key }));
  const record = await change(place, (held) =>
    held?.key === key && held.status === "provisioning" ? { key, status: "ready", compute } : held,
  );
  if (record?.key === key && record.status === "ready") return record.compute;
  await hooks.shutdown(compute);
  return undefined;
}

/** Anything else could not be stored, and would be asked for again and again. */
function requireCompute(value: JsonObject): JsonObject {
  requireRecord(value, "what options.compute.provision returns");
  return value;
}

async function release(place: ComputePlace, { key, compute }: ComputeRecord): Promise<void> {
  if (compute !== undefined) await place.hooks.shutdown(compute);
  await change(place, (held) => (held?.key === key ? undefined : held));
}

/** Changes the record in one commit, if nobody else has meanwhile; else looks again. */
async function change(
  { store, sessionId }: ComputePlace,
  next: (held: ComputeRecord | undefined) => ComputeRecord | undefined,
): Promise<ComputeRecord | undefined> {
  let record: ComputeRecord | undefined;
  const compute = (session: Session | undefined): readonly OperationInput[] => {
    if (session === undefined) throw sessionNotFound(sessionId);
    const held = recordIn(session);
    record = next(held);
    return record === held ? [] : [set({ metadata: { [COMPUTE_KEY]: record ?? null } })];
  };
  await store.updateSession(sessionId, compute, { messages: "none" });
  return record;
}

function recordIn(session: Session | undefined): ComputeRecord | undefined {
  const stored = session?.metadata[COMPUTE_KEY];
  return isComputeRecord(stored) ? stored : undefined;
}

function isComputeRecord(value: Json | undefined): value is Json & ComputeRecord {
  return isRecord(value) && typeof value["key"] === "string" && typeof value["status"] === "string";
}
