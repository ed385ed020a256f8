import type { CommitRequest, MessageDraft, Operation, SessionDocument } from "@sessions/protocol/backend";
import type { Random } from "./random.js";

/** A session, and a batch of appends to it. */
export interface AppendCase {
  readonly sessionId: string;
  /** What makes the session. */
  readonly setup: readonly CommitRequest[];
  readonly batch: readonly CommitRequest[];
  /** What the caller gets wrong, or what is in its way; none in most cases. */
  readonly obstacle: Obstacle | undefined;
}

type Obstacle =
  | "another instance holds the session"
  | "the labels are others than the caller knows"
  | "the server is behind what the caller was acknowledged"
  | "the format is newer"
  | "a field of the record is missing"
  | "the session has been deleted"
  | "the session has expired";

const OBSTACLES: readonly Obstacle[] = [
  "another instance holds the session",
  "the labels are others than the caller knows",
  "the server is behind what the caller was acknowledged",
  "the format is newer",
  "a field of the record is missing",
  "the session has been deleted",
  "the session has expired",
];

const HOUR_MS = 3_600_000;

/** Ids are few, so that they meet again. */
export function randomCase(random: Random, n: number): AppendCase {
  const sessionId = random.pick(["s", "user:{1}", "ü/💬"]) + n;
  let commits = 0;
  const commit = (ops: readonly Operation[], more: Partial<CommitRequest> = {}): CommitRequest => ({
    sessionId,
    id: `setup ${commits++}`,
    at: 0,
    ops,
    ...more,
  });
  const setup = [commit([{ op: "create", document: randomDocument(random, n) }])];
  const nonce = "nonce";
  const hasTurn = random.chance(0.4);
  if (hasTurn) setup.push(commit([{ op: "turn", action: "begin", turnId: "t", nonce, ttlMs: HOUR_MS }]));
  for (let more = random.below(3); more > 0; more--) setup.push(commit([appendOf(random)], digestOf(random)));
  const obstacle = random.chance(0.3) ? random.pick(OBSTACLES) : undefined;
  const batch = Array.from({ length: 1 + random.below(6) }, (): CommitRequest => {
    const fence =
      hasTurn && random.chance(0.4) ? { fence: random.chance(0.7) ? `2.${nonce}` : "1.other" } : {};
    const id = random.chance(0.15) ? `setup ${random.below(4)}` : `batch ${random.below(8)}`;
    return { sessionId, id, at: 0, ops: [appendOf(random)], ...fence, ...digestOf(random) };
  });
  return { sessionId, setup, batch, obstacle };
}

function randomDocument(random: Random, n: number): SessionDocument {
  const now = Date.now();
  const updatedAt = random.chance(0.3) ? now + HOUR_MS : now - HOUR_MS;
  const expiry = random.pick<Pick<SessionDocument, "expiresAt" | "expiresIn" | "renewOnUse">>([
    {},
    { expiresAt: now + HOUR_MS },
    { expiresAt: now + 60_000, expiresIn: HOUR_MS, renewOnUse: true },
    { expiresAt: now + 2 * HOUR_MS, expiresIn: 1000, renewOnUse: true },
  ]);
  const labels = random.pick<Readonly<Record<string, string>>>([
    {},
    { user: "ada" },
    { user: "ada", "a b": '"{ü}"' },
  ]);
  const parent = random.chance(0.3) ? { parent: { sessionId: `parent ${n}`, incarnation: "another" } } : {};
  return {
    incarnation: `incarnation ${n}`,
    revision: 1,
    createdAt: now - 2 * HOUR_MS,
    updatedAt,
    labels,
    metadata: {},
    counters: {},
    messages: [],
    revisions: [],
    rewrittenAt: 0,
    archives: [],
    snapshots: [],
    finishedTurns: { entries: [], horizon: 0 },
    commits: { entries: [], horizon: 0 },
    ...expiry,
    ...parent,
  };
}

function appendOf(random: Random): Operation {
  const count = 1 + random.below(3);
  const messages = Array.from({ length: count }, (): MessageDraft => {
    const id = `m${random.below(12)}`;
    const time = random.chance(0.2) ? { createdAt: 1_700_000_000_000 } : {};
    return { id, role: "user", content: random.pick(["hi", "ü\u2028\ud800", '{"a":[]}']), ...time };
  });
  return { op: "append", messages, onExisting: "fail" };
}

/** With a digest a caller chose the commit's id. */
function digestOf(random: Random): Pick<CommitRequest, "digest" | "receipt"> {
  if (!random.chance(0.4)) return {};
  return { digest: random.pick(["d1", "d2"]), ...(random.chance(0.3) ? { receipt: { of: [1] } } : {}) };
}
