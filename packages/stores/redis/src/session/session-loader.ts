import { Damage } from "@sessions/protocol/backend";
import type { Deadline } from "../engine/deadline.js";
import type { Partitions } from "../engine/partitions.js";
import { listOf, textsOf } from "../engine/reply.js";
import { LOAD, SUMMARIES } from "../engine/scripts.js";
import type { Server } from "../engine/server.js";
import { asSessionError, damagedIndex, foreignKey, unreadableField } from "../error-mapping.js";
import type { Keys } from "../keys/keys.js";
import type { Acknowledgements } from "./acknowledgements.js";
import { readGrown } from "./grown-reply.js";
import { formatIn, type Loaded, readLoaded, readSummary, recordIn, requireFormat } from "./load-reply.js";
import { type LoadRequest, loadArguments, NOTHING_MORE, UNREAD } from "./load-request.js";
import type { SessionCache } from "./session-cache.js";
import type { SessionEntry } from "./session-entry.js";

const SESSIONS_PER_CALL = 100;

/** What sessions are read with. */
export interface LoaderContext {
  readonly server: Server;
  readonly keys: Keys;
  readonly cache: SessionCache;
  readonly partitions: Partitions;
  readonly acknowledgements: Acknowledgements;
  readonly location: string;
  readonly monotonic: () => number;
}

/** Calls load.lua. What it has read is cached. */
export class SessionLoader {
  readonly #context: LoaderContext;

  constructor(context: LoaderContext) {
    this.#context = context;
  }

  /** `background`: not for a caller. A DATA_LOST that is met stays to be reported to one. */
  async load(
    id: string,
    request: LoadRequest,
    known: SessionEntry | undefined,
    { background }: { readonly background?: boolean | undefined },
    deadline: Deadline,
  ): Promise<Loaded> {
    const { server, keys, cache, acknowledgements, partitions, monotonic, location } = this.#context;
    const { record, session, partition, member } = keys.session(id);
    const { head, entries, ids, ends } = partition;
    const expected = acknowledgements.last(id);
    const { epoch } = server;
    const proves = expected !== undefined && !acknowledgements.isVerifiedOn(id, epoch);
    const asked = proves ? { ...request, commits: [...request.commits, expected.commitId] } : request;
    const askedAt = monotonic();
    let reply: unknown;
    try {
      const names = [record, session, head, entries, ids, ends];
      reply = await server.runRetryable(LOAD, names, loadArguments(member, asked), deadline);
    } catch (error) {
      throw asSessionError(error, location, id);
    }
    // Answered on another connection: what was known counts no more, and what was acknowledged has to be shown.
    const readAnew = (): Promise<Loaded> => {
      cache.forgetWithRows(id);
      return this.load(id, { ...request, ...UNREAD }, undefined, { background }, deadline);
    };
    if (server.epoch !== epoch) return readAnew();
    if (Array.isArray(reply) && reply[0] === "damaged") throw unreadableField(reply[1], reply[2]);
    if (Array.isArray(reply) && reply[0] === "foreign")
      throw damagedIndex(location, partition.tag, foreignKey(String(reply[1])));
    const grown = readGrown(reply, { id, request: asked, askedAt, known });
    if (grown !== undefined) {
      const { revision = 0 } = grown.entry.head ?? {};
      if (expected !== undefined)
        acknowledgements.compare(
          id,
          expected,
          { revision, remembers: undefined, epoch },
          background === true,
        );
      return wentBack(grown.entry, known) ? readAnew() : this.#cached(grown, request);
    }
    const format = formatIn(reply);
    if (format === undefined) {
      await partitions.restore(deadline);
      return this.load(id, request, known, { background }, deadline);
    }
    requireFormat(format); // first: what a newer version wrote may look like damage
    if (expected !== undefined)
      acknowledgements.compare(id, expected, { ...shown(reply, proves), epoch }, background === true);
    const loaded = readLoaded(reply, { id, request: asked, askedAt, known });
    if (wentBack(loaded.entry, known)) return readAnew();
    // Rows go only with a commit, which makes a new version, or with all of a session that has expired meanwhile.
    const { head: found, content } = loaded.entry;
    const [lost] = content !== undefined && found?.version === known?.head?.version ? loaded.missing : [];
    if (lost !== undefined) throw new Damage(`row ${lost} of session ${id}`, "is not there");
    return this.#cached(loaded, request);
  }

  /**
   * What lists show of sessions, in one call for each slot, or for many on a server that is no Cluster. Those that are left out have to be
   * loaded: they are gone, or damaged, or have to show what was acknowledged.
   */
  async summaries(
    ids: readonly string[],
    parts: "all" | "few",
    deadline: Deadline,
  ): Promise<ReadonlyMap<string, SessionEntry>> {
    const { server, keys } = this.#context;
    const calls = new Map<number, string[]>();
    for (const [n, id] of ids.entries()) {
      const call = server.isCluster ? keys.partitionOf(id).number : Math.floor(n / SESSIONS_PER_CALL);
      calls.set(call, [...(calls.get(call) ?? []), id]);
    }
    const found = [...calls.values()].map((some) => this.#summariesOf(some, parts, deadline));
    return new Map((await Promise.all(found)).flat());
  }

  async #summariesOf(
    ids: readonly string[],
    parts: "all" | "few",
    deadline: Deadline,
  ): Promise<readonly (readonly [string, SessionEntry])[]> {
    const { server, keys, acknowledgements, monotonic } = this.#context;
    const names = ids.flatMap((id) => [keys.session(id).record, keys.session(id).session]);
    const { epoch } = server;
    const expected = ids.map((id) => acknowledgements.last(id));
    const askedAt = monotonic();
    const replies = listOf(await server.runRetryable(SUMMARIES, names, [parts], deadline));
    const request = { ...NOTHING_MORE, ...UNREAD, parts };
    return ids.flatMap((id, n) => {
      const reply = replies[n];
      const acknowledged = expected[n];
      const mustProve = server.epoch !== epoch || !acknowledgements.isVerifiedOn(id, epoch);
      if (!Array.isArray(reply) || (acknowledged !== undefined && mustProve)) return [];
      try {
        const entry = readSummary(reply, { id, request, askedAt, known: undefined });
        const isBehind = (entry.head?.revision ?? 0) < (acknowledged?.revision ?? 0);
        return isBehind ? [] : [[id, entry] as const];
      } catch (error) {
        if (error instanceof Damage) return [];
        throw error;
      }
    });
  }

  #cached(loaded: Loaded, { parts }: LoadRequest): Loaded {
    const { cache } = this.#context;
    const { entry, rows } = loaded;
    const { head, content } = entry;
    if (head === undefined || content === undefined) {
      cache.put(entry);
      return loaded;
    }
    const drafts = new Map(content.drafts);
    for (const { row, stored, size } of rows)
      if (stored.message.status === "partial") drafts.set(row, stored);
      else cache.putRow(head.life, row, stored, size);
    const grown = { ...entry, content: { ...content, drafts } };
    if (parts === "all") cache.put(grown);
    return { ...loaded, entry: grown };
  }
}

/** Keys were put back to an earlier moment on this connection: of what is known of the session nothing counts any more. */
function wentBack({ head }: SessionEntry, known: SessionEntry | undefined): boolean {
  if (head === undefined || known?.head === undefined) return false;
  return head.version === known.head.version && head.revision < known.head.revision;
}

/** The revision that the server has, and whether it remembers the commit that was asked for last. */
function shown(
  reply: unknown,
  proves: boolean,
): { readonly revision: number; readonly remembers: boolean | undefined } {
  const commits = listOf(reply)[10];
  const remembers = proves ? textsOf(commits).at(-1) !== undefined : undefined;
  return { revision: Number(recordIn(reply)[0]), remembers };
}
