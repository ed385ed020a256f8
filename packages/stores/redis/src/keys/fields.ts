import {
  FINISHED_TURN_RETENTION,
  GENERATED_COMMIT_RETENTION,
  GIVEN_COMMIT_RETENTION,
  TOMBSTONE_MS,
} from "@sessions/protocol/backend";
import { FORMAT_VERSION } from "./format-version.js";
import { BETWEEN_MEMBERS } from "./member.js";

/** The names of fields and what they begin with: the dictionary of TypeScript and Lua. docs/formats/redis.md explains each. */
export const FIELDS = {
  // The head of a partition
  FORMAT: "format",
  PARTITIONS: "partitions",
  STORE: "store",
  POSITION: "position",
  REPLICA: "replica",
  REMOVED: "removed",
  WATCHED: "watched",
  COUNT: "count:",
  // The record of a session
  REVISION: "revision",
  VERSION: "version",
  LIFE: "life",
  CREATED: "created",
  UPDATED: "updated",
  EXPIRES: "expires",
  RENEWS: "renews",
  NEXT: "next",
  TOKEN: "token",
  INDEX: "index",
  HOLD: "hold",
  DELETED: "deleted",
  FIELD_COUNT: "fields",
  CONTENT_COUNT: "content",
  COMMIT: "C",
  GIVEN: "c",
  GIVEN_FIRST: "c.first",
  GIVEN_NEXT: "c.next",
  GIVEN_HORIZON: "c.horizon",
  GENERATED: "g",
  GENERATED_FIRST: "g.first",
  GENERATED_NEXT: "g.next",
  GENERATED_HORIZON: "g.horizon",
  // The content of a session
  STATE: "state",
  PARTS: "parts",
  PART: "p",
  ROW: "m",
  EXTENSION: "x",
  ID: "i",
  UNUSED: "unused",
  TURN: "T",
  TURNS: "t",
  TURNS_FIRST: "t.first",
  TURNS_NEXT: "t.next",
  TURNS_HORIZON: "t.horizon",
} as const;

/** Numbers that TypeScript and Lua share. */
export const LIMITS: Readonly<
  Record<
    | "FORMAT_VERSION"
    | "GIVEN_COUNT"
    | "GIVEN_MS"
    | "GENERATED_COUNT"
    | "TURN_COUNT"
    | "TURN_MS"
    | "TOMBSTONE_MS"
    | "FORGET_STEP"
    | "EXPIRY_SLACK_MS"
    | "POSITION_JUMP"
    | "WATCHED_MS"
    | "MAX_HOLD_MS",
    number
  >
> = {
  FORMAT_VERSION,
  GIVEN_COUNT: GIVEN_COMMIT_RETENTION.count,
  GIVEN_MS: GIVEN_COMMIT_RETENTION.ms,
  GENERATED_COUNT: GENERATED_COMMIT_RETENTION.count,
  TURN_COUNT: FINISHED_TURN_RETENTION.count,
  TURN_MS: FINISHED_TURN_RETENTION.ms,
  TOMBSTONE_MS,
  /** Entries are forgotten in steps of this many: most commits have nothing to do with it, and none takes long for it. */
  FORGET_STEP: 64,
  /** Clocks differ after a failover: a session that is gone so shortly before its end has expired, it is not damaged. */
  EXPIRY_SLACK_MS: 60_000,
  /** By how much positions jump on another primary, which may not have seen the last ones. */
  POSITION_JUMP: 1_000_000_000,
  /** For how long commits wake watchers after one has read. They read once a second. */
  WATCHED_MS: 10_000,
  /** Holds are of 250 ms at most, and another primary may have another clock. What says more is none. */
  MAX_HOLD_MS: 5000,
};

/** The dictionary as Lua: local names for those of the fields and limits that a script uses. */
export function luaDictionary(script: string): string {
  const isUsed = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(script);
  return [
    ...Object.entries(FIELDS).map(([name, field]) => [name, `'${field}'`] as const),
    ...Object.entries(LIMITS).map(([name, limit]) => [name, `${limit}`] as const),
    ["FORMAT_TEXT", `'${FORMAT_VERSION}'`] as const,
    ["BETWEEN_MEMBERS", `'${BETWEEN_MEMBERS}'`] as const,
  ]
    .filter(([name]) => isUsed(name))
    .map(([name, value]) => `local ${name} = ${value}`)
    .join("\n");
}
