import type { CommitOutcome } from "@sessions/protocol/backend";
import { pause } from "../engine/pause.js";
import { listOf, textOf } from "../engine/reply.js";
import { APPEND } from "../engine/scripts.js";
import type { Argument } from "../engine/server.js";
import { unusableIndexKey } from "../error-mapping.js";
import type { RedisContext } from "../redis-context.js";
import { NO_REMAINS } from "../session/session-entry.js";
import { type CommitProgress, settle } from "./commit-progress.js";
import { appendedSets } from "./index-changes.js";
import { KnownIndexEntries } from "./known-index-entries.js";
import { addPlainRequests, appendedBy, type PlainRequest, readAppendReply } from "./plain-append.js";

const MAX_PAUSE_MS = 20;
/** Where the labels are not known. */
const UNKNOWN = "?";

/**
 * Plain appends, in one round trip, whatever the revision of the session is. However many processes append at once, none has to try
 * again.
 */
export class AppendPath {
  readonly #context: RedisContext;
  readonly #entries: KnownIndexEntries;

  constructor(context: RedisContext) {
    this.#context = context;
    this.#entries = new KnownIndexEntries(context.cache);
  }

  /** Applies the next requests, as far as they are plain. */
  async append(progress: CommitProgress): Promise<void> {
    const { sessionId, deadline } = progress;
    const { server, keys, acknowledgements, instanceId, replication, clock } = this.#context;
    const { record, session, partition, member } = keys.session(sessionId);
    const known = this.#entries.get(sessionId);
    const sets = known === undefined ? [partition.entries] : appendedSets(partition, known.entry);
    const names = [record, session, partition.head, partition.feed, partition.recent, ...sets];
    const asked = server.replicationId(partition.name, deadline);
    const replicationId = typeof asked === "string" ? asked : await asked;
    const reached = acknowledgements.last(sessionId)?.revision ?? 0;
    const version = known?.version ?? UNKNOWN;
    const args: Argument[] = [keys.channel, replicationId, member, version, instanceId, reached];
    const plain = addPlainRequests(progress.rest, args);
    const { epoch } = server;
    const askedAt = clock.monotonic();
    const reply = await server.runOnce(APPEND, names, args, deadline);
    if (typeof reply !== "string") return this.#refused(progress, listOf(reply), askedAt);
    const { applied } = this.#applied(progress, plain, reply, epoch);
    // A failover may undo what was acknowledged without its replicas.
    if (replication !== undefined) await replication.confirm(partition.number, epoch, deadline);
    settle(progress, applied);
    progress.isGeneral = applied.length < plain.length;
  }

  #applied(
    { sessionId }: CommitProgress,
    plain: readonly PlainRequest[],
    text: string,
    epoch: number,
  ): { readonly applied: readonly CommitOutcome[] } {
    const { acknowledgements, cache, warnings, server } = this.#context;
    const reply = readAppendReply(text);
    const { revision, at } = reply;
    const done = plain.length === reply.applied ? plain : plain.slice(0, reply.applied);
    const last = done.at(-1);
    if (last !== undefined) acknowledgements.note(sessionId, { revision, commitId: last.request.id, epoch });
    if (server.epoch === epoch) cache.append(sessionId, appendedBy(done, reply));
    if (!reply.isPublished || reply.wasEntered) warnings.noteWrite(sessionId, reply);
    const applied = done.map(
      (_, index): CommitOutcome => ({ status: "applied", revision: revision - done.length + index + 1, at }),
    );
    return { applied };
  }

  /** Nothing was written. */
  async #refused(
    progress: CommitProgress,
    [status, detail, more]: readonly unknown[],
    askedAt: number,
  ): Promise<void> {
    const { clock, cache, acknowledgements } = this.#context;
    const { sessionId } = progress;
    switch (status) {
      case "index":
        // Where they were others than this process knew, it asks for them the next time.
        if (textOf(more) === "" && textOf(detail) !== "") this.#entries.forget(sessionId);
        else this.#entries.note(sessionId, textOf(detail) ?? "", textOf(more) ?? "");
        cache.forget(sessionId);
        return;
      case "held":
        await pause(clock, Math.min(Number(detail), MAX_PAUSE_MS));
        return;
      case "broken":
        throw unusableIndexKey(this.#context.location, String(detail), textOf(more) ?? "");
      case "absent": {
        const now = Number(detail);
        const nothing = { id: sessionId, now, askedAt, head: undefined, content: undefined, remains: NO_REMAINS };
        if (acknowledgements.last(sessionId) === undefined) cache.put(nothing);
        progress.isGeneral = true;
        return;
      }
      default:
        progress.isGeneral = true;
    }
  }
}
