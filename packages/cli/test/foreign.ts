import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Writes files; what is no text is written as JSON. */
export async function writeFiles(folder: string, files: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
  }
}

const said = (n: number): object => ({
  id: `msg_${n}`,
  role: n % 2 === 0 ? "user" : "assistant",
  parts: [{ type: "text", text: `m${n} — ünï code` }],
  created_at: `2026-03-01T12:00:${String(n).padStart(2, "0")}.000000+00:00`,
});

const lines = (...numbers: readonly number[]): string =>
  numbers.map((n) => `${JSON.stringify(said(n))}\n`).join("");

const meta = (count: number): object => ({
  session_id: "s",
  created_at: "2026-03-01T12:00:00.000Z",
  updated_at: "2026-03-01T12:00:30.000Z",
  created_by_user_id: "u",
  message_count: count,
});

const archive = (name: string, text: string, summary?: string): Readonly<Record<string, unknown>> => ({
  [`history/${name}/messages.jsonl`]: text,
  [`history/${name}/.meta.json`]: { phase1: { status: "ready" } },
  ...(summary === undefined
    ? {}
    : { [`history/${name}/.overview.md`]: summary, [`history/${name}/.done`]: "{}" }),
});

/** Session folders as OpenViking leaves them, healthy and after crashes; and what an import must make of each. */
export const openVikingCases = [
  {
    name: "healthy",
    files: {
      ".meta.json": meta(3),
      "messages.jsonl": lines(12, 13, 14),
      ...archive("archive_001", lines(0, 1, 2, 3), "Summary of m0..m3"),
      ...archive("archive_002", lines(4, 5, 6, 7, 8, 9), "Summary of m4..m9"),
      ...archive("archive_003", lines(10, 11)),
    },
    live: [12, 13, 14],
    archives: [
      { messageCount: 4, summary: { status: "done", text: "Summary of m0..m3" } },
      { messageCount: 6, summary: { status: "done", text: "Summary of m4..m9" } },
      { messageCount: 2, summary: { status: "pending" } },
    ],
    context: ["Summary of m4..m9", "m10", "m11", "m12", "m13", "m14"],
    asides: [],
  },
  {
    name: "lost-clear-keep-0",
    files: {
      ".meta.json": meta(0),
      "messages.jsonl": lines(0, 1, 2, 3),
      ...archive("archive_001", lines(0, 1, 2, 3), "Summary"),
    },
    live: [],
    archives: [{ messageCount: 4, summary: { status: "done" } }],
    context: ["Summary"],
    asides: [],
  },
  {
    name: "lost-clear-keep-2",
    files: {
      ".meta.json": meta(2),
      "messages.jsonl": lines(0, 1, 2, 3, 4, 5),
      ...archive("archive_001", lines(0, 1, 2, 3), "Summary"),
    },
    live: [4, 5],
    archives: [{ messageCount: 4, summary: { status: "done" } }],
    context: ["Summary", "m4", "m5"],
    asides: [],
  },
  {
    name: "append-without-meta",
    files: { ".meta.json": meta(3), "messages.jsonl": lines(0, 1, 2, 3) },
    live: [0, 1, 2, 3],
    archives: [],
    context: ["m0", "m1", "m2", "m3"],
    asides: [],
  },
  {
    name: "torn-tail",
    files: {
      ".meta.json": meta(3),
      "messages.jsonl": `${lines(0, 1, 2)}{"id":"msg_torn","role":"user","par`,
    },
    live: [0, 1, 2],
    archives: [],
    context: ["m0", "m1", "m2"],
    asides: [
      { file: "messages.jsonl", line: 4, problem: "is cut off", text: '{"id":"msg_torn","role":"user","par' },
    ],
  },
  {
    name: "changed-since-archived",
    files: {
      ".meta.json": meta(1),
      "messages.jsonl": lines(0).replace("m0", "edited"),
      ...archive("archive_001", lines(0, 1), "Summary"),
    },
    live: [],
    archives: [{ messageCount: 2, summary: { status: "done" } }],
    context: ["Summary"],
    asides: [{ file: "messages.jsonl", problem: "is not what was archived under its id" }],
  },
] as const;

const at = (seconds: number): number => 1_772_366_400 + seconds;
const spoken = (role: string, content: string, seconds: number, more: object = {}): object => ({
  role,
  content,
  timestamp: at(seconds) + 0.25,
  metadata: {},
  ...more,
});

const praisonai = (id: string, messages: readonly object[], more: object = {}): object => ({
  session_id: id,
  messages,
  created_at: "2026-03-01T12:00:00.125000+00:00",
  updated_at: "2026-03-01T12:30:00.000000+00:00",
  agent_name: null,
  user_id: null,
  metadata: {},
  gateway_session_id: null,
  agent_id: null,
  runtime_state: {},
  archived_messages: [],
  ...more,
});

const talk = (count: number): object[] =>
  Array.from({ length: count }, (_, n) => spoken(n % 2 === 0 ? "user" : "assistant", `said ${n}`, n));

/** A folder of sessions as PraisonAI writes them. */
export const praisonaiFiles: Readonly<Record<string, unknown>> = {
  "plain.json": praisonai("plain", talk(4), {
    agent_name: "researcher",
    user_id: "user-7",
    metadata: { model: "m", gone: null },
    cost: 0.5,
  }),
  "tools.json": praisonai("tools", [
    spoken("user", "weather?", 0),
    spoken("assistant", "", 1, {
      tool_calls: [1, 2].map((n) => ({
        id: `call_${n}`,
        type: "function",
        function: { name: "weather", arguments: "{}" },
      })),
    }),
    spoken("tool", "4 C", 2, { tool_call_id: "call_1" }),
    spoken("tool", "19 C", 3, { tool_call_id: "call_2" }),
  ]),
  "long.json": praisonai(
    "long",
    [
      spoken("system", "[Session Summary]", 9, { metadata: { compaction: true, compacted_count: 6 } }),
      ...talk(3),
    ],
    {
      archived_messages: talk(6),
      last_compaction: { summary: "They talked.", message_index: 4 },
    },
  ),
  "root.json": praisonai("root", talk(9), {
    title: "Root",
    children_ids: ["fork"],
    snapshots: [{ id: "snap-1", message_index: 7, created_at: at(8), label: "before" }],
  }),
  "fork.json": praisonai("fork", [...talk(4), spoken("user", "what if", 20)], {
    title: "What if",
    parent_id: "root",
    forked_from_message_id: "3",
  }),
  "deeper.json": praisonai("deeper", talk(4), { parent_id: "fork", forked_from_message_id: null }),
};
