import type { CommitOutcome } from "@sessions/protocol/backend";
import { pause } from "../engine/pause.js";
import { listOf, textOf } from "../engine/reply.js";
import { APPEND } from "../engine/scripts.js";
import type { Argument } from "../engine/server.js";
import { unreadableField, unusableIndexKey } from "../error-mapping.js";
import type { RedisContext } from "../redis-context.js";
import { type CommitProgress, settle } from "./commit-progress.js";
import { appendedSets } from "./index-changes.js";
import { addPlainRequests, appendedBy, type PlainRequest, readAppendReply, rowsOf } from "./plain-append.js";

const MAX_PAUSE_MS = 20;

/**
 * Plain appends, in one round trip, whatever the revision of the session is. However many processes append at once, none has to try
 * again.
 */
export class AppendPath {
  readonly #context: RedisContext;

  constructor(context: RedisContext) {
    this.#context = context;
  }

  /** Whether the session was read on this connection and was in order: the script does not look at all of it. */
  isKnown(sessionId: string): boolean {
    const { cache, acknowledgements, server } = this.#context;
    return (
      cache.get(sessionId)?.content !== undefined && acknowledgements.isVerifiedOn(sessionId, server.epoch)
    );
  }

  /** Applies the next requests, as far as they are plain. */
  async append(progress: CommitProgress): Promise<void> {
    const { sessionId, deadline } = progress;
    const { server, keys, cache, acknowledgements, instanceId, replication } = this.#context;
    const { record, session, partition, member } = keys.session(sessionId);
    const { head, content } = cache.get(sessionId) ?? {};
    if (head === undefined || content === undefined) return;
    const sets = appendedSets(partition, content.hot);
    const names = [record, session, partition.head, partition.feed, partition.recent, ...sets];
    const asked = server.replicationId(partition.name, deadline);
    const replicationId = typeof asked === "string" ? asked : await asked;
    const reached = acknowledgements.last(sessionId)?.revision ?? 0;
    const args: Argument[] = [keys.channel, replicationId, member, head.index, instanceId, reached];
    const plain = addPlainRequests(progress.rest, args);
    const { epoch } = server;
    const reply = await server.runOnce(APPEND, names, args, deadline);
    if (typeof reply !== "string") return this.#refused(progress, listOf(reply));
    const applied = this.#applied(progress, plain, reply, { epoch, life: head.life });
    // A failover may undo what was acknowledged without its replicas.
    if (replication !== undefined) await replication.confirm(partition.number, epoch, deadline);
    settle(progress, applied);
    progress.isGeneral = applied.length < plain.length;
  }

  #applied(
    { sessionId }: CommitProgress,
    plain: readonly PlainRequest[],
    text: string,
    { epoch, life }: { readonly epoch: number; readonly life: string },
  ): readonly CommitOutcome[] {
    const { acknowledgements, cache, warnings, server } = this.#context;
    const reply = readAppendReply(text);
    const { revision, at } = reply;
    const done = plain.length === reply.applied ? plain : plain.slice(0, reply.applied);
    const last = done.at(-1)?.request;
    if (last !== undefined) acknowledgements.note(sessionId, { revision, commitId: last.id, epoch });
    if (server.epoch === epoch) {
      for (const { row, stored, size } of rowsOf(done, reply)) cache.putRow(life, row, stored, size);
      cache.append(sessionId, appendedBy(done, reply));
    }
    if (!reply.isPublished || reply.wasEntered) warnings.noteWrite(sessionId, reply);
    return done.map(
      (_, index): CommitOutcome => ({ status: "applied", revision: revision - done.length + index + 1, at }),
    );
  }

  /** Nothing was written. */
  async #refused(progress: CommitProgress, [status, detail, problem]: readonly unknown[]): Promise<void> {
    const { clock, cache, location } = this.#context;
    switch (status) {
      case "held":
        await pause(clock, Math.min(Number(detail), MAX_PAUSE_MS));
        return;
      case "index":
        cache.forget(progress.sessionId); // its labels are others by now
        return;
      case "broken":
        throw unusableIndexKey(location, String(detail), textOf(problem) ?? "");
      case "damaged":
        throw unreadableField(detail, problem);
      default:
        progress.isGeneral = true;
    }
  }
}
