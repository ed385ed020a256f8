import type { Argument } from "../engine/server.js";
import type { SetChange } from "./index-changes.js";

/** A name and a value of a hash, or the like. */
export type Pair = readonly [string, Argument];

/** An entry of a memory: its id, its time, its text. */
export type MemoryEntry = readonly [id: string, at: number, text: string];

/** What commit.lua compares and writes. See there. */
export interface CommitWrite {
  readonly expected: {
    readonly version: string;
    readonly revision: number | undefined;
    /** `over`: its content is there though its end has passed, because somebody has kept the key. */
    readonly content: "live" | "over" | "gone";
    readonly entry: string;
    readonly isIndexed: boolean;
    /** The time of the decision, where the server was not asked for it. */
    readonly at: number | undefined;
  };
  readonly isLive: boolean;
  readonly revision: number;
  readonly isFed: boolean;
  readonly sessionExpiry: Expiry;
  readonly recordExpiry: Expiry;
  /** `undefined`: it stays as it is. */
  readonly entry: string | undefined;
  readonly clearsCommits: number | undefined;
  readonly clearsTurns: number | undefined;
  readonly isNewLife: boolean;
  readonly staged: string | undefined;
  readonly sets: readonly SetChange[];
  readonly recordFields: readonly Pair[];
  readonly sessionFields: readonly Pair[];
  readonly recordGone: readonly string[];
  readonly sessionGone: readonly string[];
  readonly ids: readonly (readonly [messageId: string, row: number])[];
  readonly dropped: readonly (readonly [row: number, messageId: string])[];
  readonly absentOfRecord: readonly string[];
  readonly absentOfSession: readonly string[];
  readonly commits: readonly MemoryEntry[];
  readonly generated: readonly MemoryEntry[];
  readonly turns: readonly MemoryEntry[];
}

export type Expiry = "keep" | "never" | number;

interface CallContext {
  readonly channel: string;
  readonly replicationId: string;
  readonly member: string;
  readonly instanceId: string;
}

/** The arguments of commit.lua. */
export function commitArguments(
  { channel, replicationId, member, instanceId }: CallContext,
  write: CommitWrite,
): readonly Argument[] {
  const { expected } = write;
  const args: Argument[] = [
    channel,
    replicationId,
    member,
    instanceId,
    expected.version,
    expected.revision ?? "",
    expected.content,
    expected.entry,
    flag(expected.isIndexed),
    expected.at ?? "",
    write.isLive ? "live" : "ended",
    write.revision,
    flag(write.isFed),
    write.sessionExpiry,
    write.recordExpiry,
    write.entry ?? "keep",
    write.clearsCommits ?? "",
    write.clearsTurns ?? "",
    flag(write.isNewLife),
    flag(write.staged !== undefined),
  ];
  const add = (list: readonly (readonly Argument[])[]): void => {
    args.push(list.length);
    for (const values of list) for (const value of values) args.push(value);
  };
  add(write.sets.map(({ action, score }) => [action, score]));
  add(write.recordFields);
  add(write.sessionFields);
  add(write.recordGone.map((name) => [name]));
  add(write.sessionGone.map((name) => [name]));
  add(write.ids);
  add(write.dropped);
  add(write.absentOfRecord.map((name) => [name]));
  add(write.absentOfSession.map((name) => [name]));
  add(write.commits);
  add(write.generated);
  add(write.turns);
  return args;
}

function flag(isSet: boolean): "1" | "" {
  return isSet ? "1" : "";
}
