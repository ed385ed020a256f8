import { createHash } from "node:crypto";
import type { SessionStore } from "@sessions/protocol";
import { allSessions, exportIfThere, isDamage } from "../sessions/all-sessions.js";
import { sessionDigest } from "../sessions/session-digest.js";

/** The result of comparing every session of the source with the target. */
export interface Comparison {
  readonly sessions: number;
  /** The digest of all sessions of the source, in the order of their ids. */
  readonly sourceDigest: string;
  /** The digest of the same sessions in the target. */
  readonly targetDigest: string;
  /** The sessions that differ. */
  readonly different: readonly string[];
}

/** How many sessions are read ahead. Their digests are combined in order. */
const MAX_READ_AHEAD = 8;

/** Reads both stores again and compares each session. */
export async function verifyCopies(
  source: SessionStore,
  target: SessionStore,
  onSession: () => void,
  signal?: AbortSignal,
): Promise<Comparison> {
  const [ofSource, ofTarget] = [createHash("sha256"), createHash("sha256")];
  const different: string[] = [];
  let sessions = 0;
  for await (const { id, one, other } of pairs(source, target, signal)) {
    signal?.throwIfAborted();
    onSession();
    if (one === undefined) continue; // deleted or expired since it was listed
    sessions++;
    ofSource.update(`${one}\n`);
    ofTarget.update(`${other ?? "absent"}\n`);
    if (one !== other) different.push(id);
  }
  return { sessions, sourceDigest: ofSource.digest("hex"), targetDigest: ofTarget.digest("hex"), different };
}

interface Pair {
  readonly id: string;
  readonly one: string | undefined;
  readonly other: string | undefined;
}

async function* pairs(
  source: SessionStore,
  target: SessionStore,
  signal?: AbortSignal,
): AsyncGenerator<Pair> {
  const ahead: Promise<Pair>[] = [];
  const pairOf = async (id: string): Promise<Pair> => {
    const [one, other] = await Promise.all([digestIn(source, id), digestIn(target, id)]);
    return { id, one, other };
  };
  for await (const { id } of allSessions(source, signal)) {
    const pair = pairOf(id);
    pair.catch(() => undefined); // no unhandled rejection: it is awaited in order
    ahead.push(pair);
    const next = ahead.length > MAX_READ_AHEAD ? ahead.shift() : undefined;
    if (next !== undefined) yield await next;
  }
  for (const pair of ahead) yield await pair;
}

/** A damaged session is equal to none. */
async function digestIn(store: SessionStore, id: string): Promise<string | undefined> {
  const bundle = await exportIfThere(store, id).catch((error: unknown) => {
    if (!isDamage(error)) throw error;
    return "damaged" as const;
  });
  if (bundle === "damaged") return `damaged in ${(await store.describe()).location}`;
  if (bundle === undefined) return undefined;
  // An import counts its messages as rewritten, so the number of the copy may be greater.
  const { rewrittenAt: _, ...session } = bundle.session;
  return sessionDigest(id, session);
}
