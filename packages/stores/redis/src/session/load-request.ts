import type { Argument } from "../engine/server.js";
import { FIELDS } from "../keys/fields.js";

/** Nobody else may commit for a moment. */
export interface Hold {
  readonly instanceId: string;
  readonly ms: number;
}

/** One call of load.lua. */
export interface LoadRequest {
  /** The version of the state that is known; empty if none is. */
  readonly version: string;
  /** Its revision, where one is known. */
  readonly revision: number | undefined;
  readonly hold?: Hold | undefined;
  /** How many of the last rows, of those from `tailFrom` on. */
  readonly tail: number;
  readonly tailFrom: number;
  /** Which parts: without `all`, none that is metadata. */
  readonly parts: "all" | "few";
  /** All given commits, all finished turns. */
  readonly allCommits: boolean;
  readonly allTurns: boolean;
  readonly rows: readonly number[];
  readonly extensions: readonly DraftExtensions[];
  readonly ids: readonly string[];
  readonly turns: readonly string[];
  readonly commits: readonly string[];
}

/** How many extensions the draft in a row has. */
export interface DraftExtensions {
  readonly row: number;
  readonly count: number;
}

/** Of a session of which nothing is known. */
export const UNREAD: Pick<LoadRequest, "version" | "revision" | "tailFrom"> = {
  version: "",
  revision: undefined,
  tailFrom: 0,
};

export const NOTHING_MORE: Omit<LoadRequest, keyof typeof UNREAD> = {
  tail: 0,
  parts: "all",
  allCommits: false,
  allTurns: false,
  rows: [],
  extensions: [],
  ids: [],
  turns: [],
  commits: [],
};

export function loadArguments(member: string, request: LoadRequest): readonly Argument[] {
  const { version, hold, tail, tailFrom, parts, allCommits, allTurns, rows, commits } = request;
  const fields = fieldsOf(request);
  return [
    version,
    member,
    hold?.instanceId ?? "",
    hold?.ms ?? "",
    tail,
    tailFrom,
    parts,
    allCommits ? "1" : "",
    allTurns ? "1" : "",
    asksForAppended(request) ? (request.revision ?? "") : "",
    rows.length,
    ...rows,
    fields.length,
    ...fields,
    commits.length,
    ...commits.map((id) => FIELDS.COMMIT + id),
  ];
}

/** Whether nothing is asked for but what was appended since the session was read. */
function asksForAppended({ hold, allCommits, allTurns, rows, ids, turns, commits }: LoadRequest): boolean {
  const fields = rows.length + ids.length + turns.length + commits.length;
  return fields === 0 && hold === undefined && !allCommits && !allTurns;
}

/** Ids, turns, extensions: in this order the reply is read. */
function fieldsOf({ ids, turns, extensions }: LoadRequest): readonly string[] {
  return [
    ...ids.map((id) => FIELDS.ID + id),
    ...turns.map((id) => FIELDS.TURN + id),
    ...extensions.flatMap(({ row, count }) =>
      Array.from({ length: count }, (_, n) => extensionField(row, n)),
    ),
  ];
}

export function extensionField(row: number, n: number): string {
  return `${FIELDS.EXTENSION}${row}.${n}`;
}
