import {
  applyCommit,
  type CommitRequest,
  type SessionBackend,
  SessionError,
} from "@sessions/protocol/backend";
import { harshest } from "./crash-states.js";
import { Disk } from "./disk.js";
import { DiskCache } from "./disk-cache.js";
import type { DiskImage } from "./disk-image.js";
import { mount } from "./mount.js";
import type { OpenBackend } from "./open-backend.js";
import type { Run } from "./recording.js";
import { viewOf, viewThrough } from "./versions.js";

/** What a store makes of a session after a power cut: one of its versions (equal ones cannot be messageOf apart), or damage. */
export type Recovered = readonly number[] | "corrupted";

/** What a store makes of a disk after a power cut. */
export type Recovery =
  | { readonly ok: true; readonly sessions: ReadonlyMap<string, Recovered> }
  | { readonly ok: false; readonly problem: string };

/**
 * Opens a store on what a power cut left, reads all sessions, and has it work: one more message in each, then another
 * power cut that takes everything it may take, then everything must be there.
 */
export async function recover(image: DiskImage, run: Run, open: OpenBackend): Promise<Recovery> {
  try {
    return { ok: true, sessions: await sessionsOn(image, run, open) };
  } catch (error) {
    return { ok: false, problem: messageOf(error).replaceAll(/\0+/g, "<zeros>") };
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message} (${messageOf(error.cause)})`;
}

async function sessionsOn(image: DiskImage, run: Run, open: OpenBackend): Promise<Map<string, Recovered>> {
  const disk = new Disk(image);
  const backend = await open(mount(disk, "recovery"), run.options);
  const before = await viewsOrDamageOf(backend, run.sessions.keys());
  await requireListed(backend, before);
  const whole = [...before.keys()].filter((session) => before.get(session) !== "corrupted");
  for (const session of whole) await appendOneMore(backend, session, run);
  const after = await viewsOf(backend, whole);
  await backend.close();
  await requireKept(after, await open(mount(new Disk(afterNextCut(image, disk)), "again"), run.options));
  return new Map([...before].map(([session, view]) => [session, match(session, view, after, run)]));
}

async function requireKept(views: ReadonlyMap<string, string>, backend: SessionBackend): Promise<void> {
  const kept = await viewsOf(backend, views.keys());
  await backend.close();
  for (const [session, view] of views)
    if (kept.get(session) !== view)
      throw new Error(`session ${session}: what was added after the crash did not survive the next one`);
}

async function viewsOrDamageOf(
  backend: SessionBackend,
  sessions: Iterable<string>,
): Promise<Map<string, string>> {
  const views = new Map<string, string>();
  for (const session of sessions) views.set(session, await viewOrDamage(backend, session));
  return views;
}

async function viewOrDamage(backend: SessionBackend, session: string): Promise<string> {
  try {
    return await viewThrough(backend, session);
  } catch (error) {
    if (SessionError.is(error, "SESSION_CORRUPTED")) return "corrupted";
    throw error;
  }
}

async function viewsOf(backend: SessionBackend, sessions: Iterable<string>): Promise<Map<string, string>> {
  const views = new Map<string, string>();
  for (const session of sessions) views.set(session, await viewThrough(backend, session));
  return views;
}

/** Half a session would be in the list and not there, or the reverse. A damaged one may be in it or not. */
async function requireListed(backend: SessionBackend, views: ReadonlyMap<string, string>): Promise<void> {
  const { items } = await backend.list({ order: "updated-desc", limit: 100 });
  const listed = new Set(items.map((item) => item.id));
  for (const id of listed) if (!views.has(id)) throw new Error(`session ${id} came from nowhere`);
  for (const [session, view] of views)
    if (view !== "corrupted" && listed.has(session) !== (view !== "absent"))
      throw new Error(`session ${session} is ${listed.has(session) ? "listed and absent" : "not listed"}`);
}

async function appendOneMore(backend: SessionBackend, session: string, run: Run): Promise<void> {
  const [outcome] = await backend.commit([oneMore(session, run)]);
  if (outcome?.status !== "applied")
    throw new Error(`session ${session}: an append after the crash is ${outcome?.status}`);
}

function oneMore(sessionId: string, { options }: Run): CommitRequest {
  const at = options.clock.now();
  const message = { id: "one-more", role: "user", content: "after the crash", createdAt: at };
  return {
    sessionId,
    id: "one-more",
    at,
    ops: [{ op: "append", messages: [message], onExisting: "fail" }],
  };
}

/** What recovery acknowledged must survive the next power cut by itself. */
function afterNextCut(image: DiskImage, disk: Disk): DiskImage {
  const cache = new DiskCache(image);
  for (const event of disk.events) cache.take(event);
  return harshest(cache);
}

const looks = new WeakMap<Run, ReadonlyMap<string, readonly number[]>>();

/** The versions that look like this, also after one more message: that tells a deleted session from one that never was. */
function match(session: string, before: string, after: ReadonlyMap<string, string>, run: Run): Recovered {
  if (before === "corrupted") return "corrupted";
  const known = looks.get(run) ?? looksOf(run);
  looks.set(run, known);
  return known.get([session, before, after.get(session)].join("\n")) ?? [];
}

function looksOf(run: Run): ReadonlyMap<string, readonly number[]> {
  const now = run.options.clock.now();
  const found = new Map<string, readonly number[]>();
  for (const [session, versions] of run.sessions) {
    for (const [index, { state }] of versions.entries()) {
      const grown = applyCommit(state, oneMore(session, run)).state;
      const look = [session, viewOf(session, state, now), viewOf(session, grown, now)].join("\n");
      found.set(look, [...(found.get(look) ?? []), index]);
    }
  }
  return found;
}
