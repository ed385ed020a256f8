import type { Json, JsonObject, OperationInput, Session, SessionStore } from "@sessions/protocol";
import { set } from "@sessions/protocol";
import { isFields, requireFields, sessionNotFound } from "@sessions/turn-runner";
import { COMPUTE_KEY } from "./agent-record.js";
import type { ComputeHooks } from "./options.js";

/** The compute of a session, as it is stored: the key is there before the compute is made and until it is released. */
interface ComputeRecord {
  readonly key: string;
  readonly status: "provisioning" | "ready" | "releasing";
  readonly compute?: JsonObject;
}

/** A session, and the hooks that make its compute. */
export interface ComputeSession {
  readonly store: SessionStore;
  readonly sessionId: string;
  readonly hooks: ComputeHooks;
  readonly newId: () => string;
}

/** Makes the session's compute, or returns the one that exists. After a crash the same key is used again. */
export async function provisionCompute(session: ComputeSession): Promise<JsonObject> {
  for (;;) {
    const record = await change(
      session,
      (stored) => stored ?? { key: session.newId(), status: "provisioning" },
    );
    if (record?.status === "releasing") await release(session, record);
    else if (record?.compute !== undefined) return record.compute;
    else if (record !== undefined) {
      const made = await make(session, record.key);
      if (made !== undefined) return made;
    }
  }
}

/** Releases the session's compute. `false` if there was none. */
export async function shutdownCompute(session: ComputeSession): Promise<boolean> {
  const stored = recordIn(await session.store.getSession(session.sessionId, { messages: "none" }));
  if (stored === undefined) return false;
  // Its maker crashed, and only the key is stored: it is made again, with the same key, to be released.
  if (stored.status === "provisioning") await make(session, stored.key);
  const record = await change(session, (now) =>
    now?.key === stored.key ? { ...now, status: "releasing" } : now,
  );
  if (record?.key === stored.key) await release(session, record);
  return true;
}

/** Makes the compute under its key and stores it. `undefined` if it was released meanwhile: then it is shut down again. */
async function make(session: ComputeSession, key: string): Promise<JsonObject | undefined> {
  const { sessionId, hooks } = session;
  const compute = requireCompute(await hooks.provision({ sessionId, key }));
  const record = await change(session, (stored) =>
    stored?.key === key && stored.status === "provisioning" ? { key, status: "ready", compute } : stored,
  );
  if (record?.key === key && record.status === "ready") return record.compute;
  await hooks.shutdown(compute);
  return undefined;
}

/** Anything else could not be stored, and would be provisioned again and again. */
function requireCompute(value: JsonObject): JsonObject {
  requireFields(value, "what options.compute.provision returns");
  return value;
}

async function release(session: ComputeSession, { key, compute }: ComputeRecord): Promise<void> {
  if (compute !== undefined) await session.hooks.shutdown(compute);
  await change(session, (stored) => (stored?.key === key ? undefined : stored));
}

/** Changes the record in one commit. */
async function change(
  { store, sessionId }: ComputeSession,
  next: (stored: ComputeRecord | undefined) => ComputeRecord | undefined,
): Promise<ComputeRecord | undefined> {
  let record: ComputeRecord | undefined;
  const compute = (session: Session | undefined): readonly OperationInput[] => {
    if (session === undefined) throw sessionNotFound(sessionId);
    const stored = recordIn(session);
    record = next(stored);
    return record === stored ? [] : [set({ metadata: { [COMPUTE_KEY]: record ?? null } })];
  };
  await store.updateSession(sessionId, compute, { messages: "none" });
  return record;
}

function recordIn(session: Session | undefined): ComputeRecord | undefined {
  const stored = session?.metadata[COMPUTE_KEY];
  return isComputeRecord(stored) ? stored : undefined;
}

function isComputeRecord(value: Json | undefined): value is Json & ComputeRecord {
  return isFields(value) && typeof value["key"] === "string" && typeof value["status"] === "string";
}
