import { append, archive, count, type SessionStore, set, snapshot } from "@sessions/protocol";

/** Text that has broken stores before: lone surrogates, line separators, NUL, look-alike ids, keys that are not keys. */
const HOSTILE = [
  "\ud800",
  "a\u2028b\u2029c",
  "nul\0",
  "👩‍👩‍👧‍👦 ẽ",
  "\u202eright to left",
  '"\\\n\r\t',
  "__proto__",
  "",
];

const idOf = (n: number): string =>
  ["s", "user:", "user/", "User:", "../s", "日本", "a b", "é"][n % 8] + String(n);

/** Fills a store with sessions of every kind: forks, archives, snapshots, tools, drafts, hostile text. The same each time. */
export async function fillCorpus(store: SessionStore, sessions: number): Promise<void> {
  const numbers = Array.from({ length: sessions }, (_, n) => n);
  const originals = numbers.filter((n) => n % 10 !== 9);
  await atOnce(originals, 16, (n) => writeSession(store, n));
  await atOnce(
    numbers.filter((n) => n % 10 === 9),
    16,
    (n) => writeFork(store, n),
  );
}

async function writeSession(store: SessionStore, n: number): Promise<void> {
  const id = idOf(n);
  const text = HOSTILE[n % HOSTILE.length] ?? "";
  const messages = Array.from({ length: 2 + (n % 5) }, (_, at) => ({
    id: `m${at}`,
    role: at % 2 === 0 ? "user" : "assistant",
    content: `${text} ${n}.${at}`,
    metadata: { n, nested: { [text]: [text, {}, [], null, 9_007_199_254_740_991] } },
  }));
  await store.createSession(id, {
    title: `${n % 3 === 0 ? text : "plain"} ${n}`,
    labels: { user: String(n % 7), agent: "corpus" },
    metadata: { z: 1, a: { [`${text}k`]: text }, n },
    messages,
  });
  await store.addMessage(id, { id: "again", role: "user", content: "once" }, { commitId: `webhook-${n}` });
  if (n % 2 === 0) await store.addMessage(id, toolExchange(n));
  if (n % 3 === 0) await store.commit(id, [snapshot("early"), count({ inputTokens: n, turns: 1 })]);
  if (n % 4 === 0) await store.commit(id, archive("m1", { archiveId: "first" }));
  if (n % 8 === 0) await store.settleArchive(id, "first", { summary: `They said ${text}.` });
  if (n % 12 === 0)
    await store.commit(id, [append({ id: "late", role: "user", content: text }), snapshot("late")]);
  if (n % 24 === 0) await store.popMessage(id);
  if (n % 5 === 0) await store.commit(id, set({ expiresAt: 4_000_000_000_000 + n, labels: { user: null } }));
  if (n % 5 === 1) await store.commit(id, set({ expiresIn: 1_000_000_000 + n, renewOnUse: n % 2 === 0 }));
  if (n % 6 === 0) await turn(store, id, n);
}

function toolExchange(n: number) {
  return [
    {
      id: "call",
      role: "assistant",
      content: null,
      tool_calls: [{ id: `c${n}`, type: "function", function: { name: "f", arguments: "{}" } }],
    },
    { id: "result", role: "tool", tool_call_id: `c${n}`, content: `result ${n}` },
  ];
}

async function turn(store: SessionStore, id: string, n: number): Promise<void> {
  await store.runTurn(id, { turnId: `turn-${n}` }, async (held) => {
    await held.append({ id: "draft", role: "assistant", content: "", status: "partial" });
    await held.extend("draft", { text: "word " });
    if (n % 18 === 0) return [count({ outputTokens: 2 })]; // the draft is left, and marked as interrupted
    return [{ op: "extend", messageId: "draft", status: "complete" } as const];
  });
}

async function writeFork(store: SessionStore, n: number): Promise<void> {
  await store.forkSession(idOf(n - 1), { newId: idOf(n), title: `fork ${n}` });
  await store.addMessage(idOf(n), { role: "user", content: "what if" });
}

async function atOnce(
  numbers: readonly number[],
  many: number,
  work: (n: number) => Promise<void>,
): Promise<void> {
  const left = [...numbers];
  const lane = async (): Promise<void> => {
    for (let n = left.shift(); n !== undefined; n = left.shift()) await work(n);
  };
  await Promise.all(Array.from({ length: many }, lane));
}
