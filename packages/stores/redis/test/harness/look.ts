import { SessionError, type SessionStore } from "@sessions/protocol";
import { FORK, LABELS, SESSION } from "./operations.js";

const IDS = [SESSION, FORK, "parent"];

/** What a reader finds of the sessions of these tests, in words: without times and generated names. */
export async function view(store: SessionStore): Promise<string> {
  const found = await Promise.all(
    IDS.map(async (id) => {
      const session = await store.getSession(id);
      if (session === undefined) return `${id}: none`;
      const { title, labels, metadata, counters, messages, expiresAt, parent } = session;
      const archives = (await store.listArchives(id)).length;
      const snapshots = (await store.listSnapshots(id)).map(({ name }) => name);
      const texts = messages.map((message) => `${message.id}=${String(message.content)}`);
      const ends = expiresAt !== undefined;
      const rest = {
        title,
        labels,
        metadata,
        counters,
        archives,
        snapshots,
        ends,
        parent: parent?.sessionId,
      };
      return `${id}: ${JSON.stringify(rest)} ${texts.join(",")}`;
    }),
  );
  return found.join("\n");
}

/** Whether the sessions are whole and every list agrees with them, in words: nothing, if all is well. */
export async function disagreements(store: SessionStore): Promise<readonly string[]> {
  const found: string[] = [];
  const alive: string[] = [];
  for (const id of IDS) {
    if (!(await store.sessionExists(id))) continue;
    alive.push(id);
    const { ok } = await store.verify(id);
    if (!ok) found.push(`${id} is damaged`);
  }
  for (const order of ["id-asc", "updated-desc", "updated-asc", "created-desc", "created-asc"] as const) {
    const listed = await idsOf(store.listSessions({ order }));
    if (String(listed) !== String(alive.toSorted())) found.push(`${alive} exist, ${order} lists ${listed}`);
  }
  const sessions = await Promise.all(alive.map((id) => store.getSession(id, { messages: "none" })));
  for (const [name, value] of LABELS) {
    const expected = sessions.flatMap((session) => (session?.labels[name] === value ? [session.id] : []));
    const listed = await idsOf(store.listSessions({ labels: { [name]: value } }));
    if (String(listed) !== String(expected.toSorted()))
      found.push(`${expected} have ${name}=${value}, listed are ${listed}`);
  }
  for (const parent of IDS) {
    const expected = sessions.flatMap((session) =>
      session?.parent?.sessionId === parent ? [session.id] : [],
    );
    const listed = await idsOf(store.listSessions({ parent }));
    if (String(listed) !== String(expected))
      found.push(`${expected} are forks of ${parent}, listed are ${listed}`);
  }
  return found;
}

/** A list that is refused is told by its code: it agrees with nothing. */
async function idsOf(sessions: AsyncIterable<{ readonly id: string }>): Promise<readonly string[]> {
  const ids: string[] = [];
  const outcome = await outcomeOf(
    (async () => {
      for await (const { id } of sessions) ids.push(id);
    })(),
  );
  return outcome === "ok" ? ids.sort() : [outcome];
}

/** What came of a call: its code, if it failed as a store fails. */
export async function outcomeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return "ok";
  } catch (error) {
    return codeIn(error);
  }
}

/** A turn that failed and could not be ended either has both errors. */
function codeIn(error: unknown): string {
  if (SessionError.is(error)) return error.code;
  if (error instanceof AggregateError) return error.errors.map(codeIn).join(", ");
  throw error;
}
