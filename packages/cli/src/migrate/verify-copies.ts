import { createHash } from "node:crypto";
import type { SessionStore } from "@sessions/protocol";
import { allSessions, exportedOrDamaged } from "../sessions/all-sessions.js";
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

/** What is reported during a comparison. */
export interface ComparisonEvents {
  readonly onSession: () => void;
  /** A session of the source cannot be read. It is not compared. */
  readonly onDamaged: (sessionId: string, problem: string) => void;
}

/** The digest of a session, or what is wrong with it. `undefined`: it is not there. */
type Digest = string | { readonly problem: string } | undefined;

function isDamaged(digest: Digest): digest is { readonly problem: string } {
  return typeof digest === "object";
}

/** How many sessions are read ahead. Their digests are combined in order. */
const MAX_READ_AHEAD = 8;

/** Reads both stores again and compares each session. */
export async function verifyCopies(
  source: SessionStore,
  target: SessionStore,
  { onSession, onDamaged }: ComparisonEvents,
  signal?: AbortSignal,
): Promise<Comparison> {
  const [ofSource, ofTarget] = [createHash("sha256"), createHash("sha256")];
  const different: string[] = [];
  let sessions = 0;
  for await (const { id, one, other } of pairs(source, target, signal)) {
    signal?.throwIfAborted();
    onSession();
    if (one === undefined) continue; // deleted or expired since it was listed
    if (isDamaged(one)) {
      onDamaged(id, one.problem);
      continue;
    }
    sessions++;
    ofSource.update(`${one}\n`);
    ofTarget.update(`${isDamaged(other) ? "damaged" : (other ?? "absent")}\n`);
    if (one !== other) different.push(id);
  }
  return { sessions, sourceDigest: ofSource.digest("hex"), targetDigest: ofTarget.digest("hex"), different };
}

interface Pair {
  readonly id: string;
  readonly one: Digest;
  readonly other: Digest;
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

async function digestIn(store: SessionStore, id: string): Promise<Digest> {
  const bundle = await exportedOrDamaged(store, id);
  if (bundle === undefined || "problem" in bundle) return bundle;
  // An import counts its messages as rewritten, so the number of the copy may be greater.
  const { rewrittenAt: _, ...session } = bundle.session;
  return sessionDigest(id, session);
}
