import { SessionError, type SessionStore } from "@sessions/protocol";

/** What callers were told is kept. */
export interface Kept {
  /** The messages of each session, and its labels. Checks that write add what they were told is kept. */
  readonly sessions: Map<
    string,
    { readonly texts: readonly string[]; readonly labels: Readonly<Record<string, string>> }
  >;
  readonly deleted: readonly string[];
}

const DAMAGE = ["DATA_LOST", "SESSION_CORRUPTED"] as const;

/** An instance of a store, and what it has warned of. */
export interface Watched {
  readonly store: SessionStore;
  readonly warnings: readonly string[];
}

/**
 * Makes every kind of call after something was lost. Answers what is neither the truth nor an error that says that something is
 * lost, in words. A session whose loss this instance has told may be used anew.
 */
export async function silentLosses({ store, warnings }: Watched, kept: Kept): Promise<readonly string[]> {
  const found: string[] = [];
  const told = new Set<string>();
  const isTold = (id: string): boolean =>
    told.has(id) || warnings.some((text) => text.includes(`"${id}"`) || /lost everything/.test(text));
  /** What a call answers; `undefined` if it says that something is lost. */
  const answer = async <Result>(
    what: string,
    id: string | undefined,
    call: () => Promise<Result>,
  ): Promise<{ readonly result: Result } | undefined> => {
    try {
      return { result: await call() };
    } catch (error) {
      const isGone = SessionError.is(error, "SESSION_NOT_FOUND") && id !== undefined && isTold(id);
      if (isGone) return undefined;
      if (!SessionError.is(error, ...DAMAGE)) found.push(`${what}: ${String(error)}`);
      else if (id !== undefined) told.add(id);
      return undefined;
    }
  };

  for (const [name, query] of Object.entries(QUERIES)) {
    const shown = await answer(name, undefined, async () => {
      const ids: string[] = [];
      for await (const { id } of store.listSessions(query)) ids.push(id);
      return ids;
    });
    if (shown === undefined) continue;
    const expected = [...kept.sessions]
      .filter(([, { labels }]) => ("labels" in query ? labels["user"] === "ada" : true))
      .map(([id]) => id);
    for (const id of expected)
      if (!shown.result.includes(id) && !isTold(id)) found.push(`${name} lacks ${id}`);
    for (const id of kept.deleted)
      if (shown.result.includes(id)) found.push(`${name} shows ${id}, which is deleted`);
  }
  for (const id of kept.deleted) {
    const read = await answer(`getSession of deleted ${id}`, id, () => store.getSession(id));
    if (read?.result !== undefined) found.push(`getSession shows ${id}, which is deleted`);
  }
  for (const [id, { texts, labels }] of kept.sessions) {
    const same = (what: string, got: readonly string[] | undefined, expected: readonly string[]): void => {
      if (!isTold(id) && String(got) !== String(expected))
        found.push(`${what} of ${id}: ${got ?? "nothing"}`);
    };
    const read = await answer("getSession", id, () => store.getSession(id));
    if (read !== undefined) same("getSession", read.result && contents(read.result.messages), texts);
    if (read !== undefined && !isTold(id) && JSON.stringify(read.result?.labels) !== JSON.stringify(labels))
      found.push(`labels of ${id} are others`);
    const tail = await answer("getChatHistory", id, () => store.getChatHistory(id, { limit: 1 }));
    if (tail !== undefined) same("getChatHistory", contents(tail.result), texts.slice(-1));
    const whole = await answer("exportSession", id, () => store.exportSession(id));
    if (whole !== undefined)
      same("exportSession", [String(whole.result.session.messages.length)], [String(texts.length)]);
    const exists = await answer("sessionExists", id, () => store.sessionExists(id));
    if (exists !== undefined) same("sessionExists", [String(exists.result)], ["true"]);
    const written = await answer("addMessage", id, () =>
      store.addMessage(id, { role: "user", content: "after" }),
    );
    if (written === undefined) continue;
    const after = await answer("getSession", id, () => store.getSession(id));
    if (after === undefined) continue;
    const now = after.result && contents(after.result.messages);
    same("getSession after addMessage", now, [...texts, "after"]);
    // Of a session whose loss was told there is now what was written since.
    kept.sessions.set(id, { texts: now ?? [], labels: after.result?.labels ?? {} });
  }
  return found;
}

const QUERIES = {
  "the list": {},
  "the list by creation": { order: "created-desc" },
  "the list by id": { order: "id-asc" },
  "the list by a label": { labels: { user: "ada" } },
} as const;

function contents(messages: readonly { readonly content?: unknown }[]): readonly string[] {
  return messages.map(({ content }) => String(content).slice(0, 40));
}
