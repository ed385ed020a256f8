import { createHash } from "node:crypto";
import type { SessionStore } from "@sessions/protocol";
import { allSessions, exportIfThere, isDamage } from "../sessions/all-sessions.js";
import { sessionDigest } from "../sessions/session-digest.js";

/** Whether every session of the source is the same in the target. */
export interface Comparison {
  readonly sessions: number;
  /** Over all sessions of the source, in the order of their ids. */
  readonly sourceDigest: string;
  /** Over the same sessions in the target. */
  readonly targetDigest: string;
  /** Those that are not the same. */
  readonly different: readonly string[];
}

/** How many sessions are read ahead of the one whose turn it is: their digests are added up in order. */
const AHEAD = 8;

/** Reads both stores again, and compares session by session. */
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
    pair.catch(() => undefined); // told when its turn comes
    ahead.push(pair);
    const next = ahead.length > AHEAD ? ahead.shift() : undefined;
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
  // Messages that were adopted count as rewritten then: the copy's number may be greater than the original's.
  const { rewrittenAt: _, ...session } = bundle.session;
  return sessionDigest(id, session);
}
