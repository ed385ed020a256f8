import { count, extend, type SessionStore } from "@sessions/protocol";

/** The session that operations change, and the one that some make from it. */
export const SESSION = "s";
export const FORK = "fork";

/** Labels that sessions of these tests have, before or after an operation. */
export const LABELS: readonly (readonly [name: string, value: string])[] = [
  ["agent", "a"],
  ["agent", "b"],
  ["user", "ada"],
];

/** Something that a caller asks of a store. */
export interface Operation {
  readonly name: string;
  /** What there is before. */
  prepare?(store: SessionStore): Promise<unknown>;
  run(store: SessionStore): Promise<unknown>;
  /** A call that makes several commits: what lies between them may be seen. */
  readonly commits?: "several";
}

const user = (content: string, id?: string) => ({
  role: "user",
  content,
  ...(id === undefined ? {} : { id }),
});

const LONG = Array.from({ length: 700 }, (_, index) => user(`line ${index}`, `l${index}`));

async function plain(store: SessionStore): Promise<void> {
  await store.addMessage(SESSION, [user("one", "m1"), user("two", "m2"), user("three", "m3")]);
}

async function indexed(store: SessionStore): Promise<void> {
  await store.addMessage("parent", user("root", "r1"));
  await store.forkSession("parent", { newId: SESSION });
  await store.patchSession(SESSION, {
    labels: { agent: "a", user: "ada" },
    expiresAt: Date.now() + 3_600_000,
  });
  await store.addMessage(SESSION, [user("one", "m1"), user("two", "m2"), user("three", "m3")]);
}

/** Every way to write, at least once; on sessions with and without entries in every index. */
export const OPERATIONS: readonly Operation[] = [
  { name: "the first message of a session", run: (store) => store.addMessage(SESSION, user("hello", "n1")) },
  {
    name: "a message to a session",
    prepare: plain,
    run: (store) => store.addMessage(SESSION, user("more", "n1")),
  },
  {
    name: "a message to a session with labels, a parent and an end",
    prepare: indexed,
    run: (store) => store.addMessage(SESSION, user("more", "n1")),
  },
  {
    name: "a message under a commit id",
    prepare: plain,
    run: (store) => store.addMessage(SESSION, user("more", "n1"), { commitId: "c1" }),
  },
  {
    name: "a message with a counter",
    prepare: plain,
    run: (store) => store.commit(SESSION, [count({ sent: 1 })], { commitId: "c2" }),
  },
  {
    name: "a new session with labels and an end",
    run: (store) =>
      store.createSession(SESSION, {
        labels: { agent: "a", user: "ada" },
        expiresAt: Date.now() + 3_600_000,
        messages: [user("hello", "n1")],
      }),
  },
  {
    name: "a change of labels",
    prepare: indexed,
    run: (store) => store.patchSession(SESSION, { title: "t", labels: { agent: "b", user: null } }),
  },
  {
    name: "an end that is taken away",
    prepare: indexed,
    run: (store) => store.patchSession(SESSION, { expiresAt: null }),
  },
  {
    name: "metadata",
    prepare: plain,
    run: (store) => store.updateSessionMetadata(SESSION, { mood: "good" }),
  },
  {
    name: "a replaced history",
    prepare: plain,
    run: (store) => store.setChatHistory(SESSION, [user("one", "m1"), user("else", "e1")]),
  },
  {
    name: "a history of 700 messages over another",
    prepare: plain,
    run: (store) => store.setChatHistory(SESSION, LONG),
  },
  {
    name: "a message that is changed",
    prepare: plain,
    run: (store) => store.updateMessage(SESSION, "m2", user("changed")),
  },
  {
    name: "a draft that grows",
    prepare: (store) =>
      store.addMessage(SESSION, { id: "d", role: "assistant", content: "so", status: "partial" }),
    run: (store) => store.commit(SESSION, extend("d", { text: " and so on" })),
  },
  {
    name: "a message that is removed",
    prepare: plain,
    run: (store) => store.removeMessages(SESSION, ["m2"]),
  },
  { name: "a history that is cleared", prepare: indexed, run: (store) => store.clearSession(SESSION) },
  { name: "a snapshot", prepare: plain, run: (store) => store.createSnapshot(SESSION, "before") },
  {
    name: "a return to a snapshot",
    prepare: async (store) => {
      await plain(store);
      await store.createSnapshot(SESSION, "before");
      await store.clearSession(SESSION);
    },
    run: (store) => store.revertToSnapshot(SESSION, "before"),
  },
  {
    name: "an archive",
    prepare: plain,
    run: (store) => store.archiveMessages(SESSION, { keepRecent: 1 }),
  },
  { name: "a fork", prepare: indexed, run: (store) => store.forkSession(SESSION, { newId: FORK }) },
  {
    name: "a turn",
    prepare: plain,
    commits: "several",
    run: (store) =>
      store.runTurn(
        SESSION,
        { messages: [user("question", "q1")], renew: false, ttlMs: 60_000 },
        async (turn) => {
          await turn.append({ id: "a1", role: "assistant", content: "answer" });
          return [];
        },
      ),
  },
  { name: "a delete", prepare: indexed, run: (store) => store.deleteSession(SESSION) },
  {
    name: "a message to a session that was deleted",
    prepare: async (store) => {
      await indexed(store);
      await store.deleteSession(SESSION);
    },
    run: (store) => store.addMessage(SESSION, user("again", "n1")),
  },
  {
    name: "a message to a session that has expired",
    prepare: async (store) => {
      const expiresAt = Date.now() + 50;
      await store.createSession(SESSION, {
        labels: { agent: "a" },
        expiresAt,
        messages: [user("old", "o1")],
      });
      while (await store.sessionExists(SESSION)) await new Promise((resolve) => setTimeout(resolve, 5));
    },
    run: (store) => store.addMessage(SESSION, user("again", "n1")),
  },
];
