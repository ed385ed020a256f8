import type { CommitMemory, TurnMemory } from "@sessions/protocol";
import { Damage, parseStored } from "@sessions/protocol/backend";
import { parseChecked } from "./checked-text.js";
import { parseGiven } from "./memory-source.js";
import type { Wanted } from "./missing.js";
import type { Content, Head, Present, WindowHead } from "./moment.js";
import { listOf, numberOf, textOf, textsOf } from "./reply.js";
import { RowTable } from "./row-table.js";
import type { Text } from "./server.js";
import type { Parts, SmallState } from "./stored-state.js";

/** A wish that nobody else commits for a moment. */
export interface Hold {
  readonly who: string;
  readonly ms: number;
}

/** What one call of the script asks for. */
export interface Loading extends Omit<Wanted, "givenCommits" | "finishedTurns"> {
  /** How many of the last rows. */
  readonly tail?: number;
  /** From which number on memories are listed. */
  readonly givenFrom?: number;
  readonly turnsFrom?: number;
  readonly hold?: Hold;
  /** Not for a caller: see `Acknowledgements.compare`. */
  readonly background?: boolean;
}

/** The arguments of the script. */
export function loadArguments(loading: Loading, known: Present | undefined): readonly Text[] {
  const { rows = [], fields = [], memories = [], tail = 0, givenFrom = -1, turnsFrom = -1, hold } = loading;
  return [
    known?.head.version ?? "",
    known?.head.partsVersion ?? "",
    hold?.who ?? "",
    hold?.ms ?? 0,
    tail,
    known?.content.table.knownUntil ?? 0,
    givenFrom,
    turnsFrom,
    rows.length,
    ...rows,
    fields.length,
    ...fields,
    memories.length,
    ...memories,
  ];
}

/** What the script answered. */
export interface Loaded {
  readonly now: number;
  readonly present: Present | undefined;
  /** Whether the first of the rows that were asked for is not there. */
  readonly lacksFirstRow: boolean;
  readonly window: WindowHead | undefined;
  readonly fields: readonly (string | undefined)[];
  readonly memories: readonly (string | undefined)[];
  readonly given: readonly CommitMemory[];
  readonly turns: readonly TurnMemory[];
  /** The numbers of the remembered: `first` up to and without `last`. */
  readonly givenNumbers: Numbers;
  readonly turnNumbers: Numbers;
}

interface Numbers {
  readonly first: number;
  readonly last: number;
}

/** The formats that the session and its window are marked with. */
export function formatsIn(reply: unknown): readonly unknown[] {
  const [, head, , , window] = listOf(reply);
  return [head === null ? undefined : listOf(head)[15], listOf(window)[0]];
}

/** Reads the answer. `known`: what was sent along as known. Rows go into the table of the session. */
export function readLoaded(
  reply: unknown,
  loading: Loading,
  known: Present | undefined,
  location: string,
): Loaded {
  const [now, head, small, parts, window, first, tail, rows, fields, memories, given, turns] = listOf(reply);
  const fieldsOfWindow = textsOf(window);
  const found = head === null ? undefined : readHead(textsOf(head), location);
  const present =
    found === undefined
      ? undefined
      : { head: found, content: contentOf(found, textOf(small), textOf(parts), known, location) };
  if (present !== undefined) {
    const from = Number(first);
    readRows(present, textsOf(tail), (index) => from + index, location);
    readRows(present, textsOf(rows), (index) => loading.rows?.[index] ?? -1, location);
  }
  const headTexts = head === null ? [] : textsOf(head);
  const firstRow = loading.rows?.[0];
  return {
    now: Number(now),
    present,
    lacksFirstRow:
      present !== undefined &&
      firstRow !== undefined &&
      present.content.table.get(firstRow, present.head.version) === undefined,
    window: readWindow(fieldsOfWindow, location),
    fields: textsOf(fields),
    memories: textsOf(memories),
    given: textsOf(given).flatMap((text) => (text === undefined ? [] : (parseGiven(text, location) ?? []))),
    turns: textsOf(turns).flatMap((text) =>
      text === undefined ? [] : [parseStored<TurnMemory>(text, location)],
    ),
    givenNumbers: { first: numberOf(fieldsOfWindow[6]) ?? 0, last: numberOf(fieldsOfWindow[7]) ?? 0 },
    turnNumbers: { first: numberOf(headTexts[10]) ?? 0, last: numberOf(headTexts[11]) ?? 0 },
  };
}

/** A session from its fields alone: `r g e k n u x o p z y`. */
export function loadedHead(fields: readonly (string | null)[], location: string): Present | undefined {
  const texts = fields.map((field) => field ?? undefined);
  if (texts[0] === undefined) return undefined;
  const head = readHead(texts.slice(0, 9), location);
  return { head, content: contentOf(head, texts[9], texts[10], undefined, location) };
}

function readHead(texts: readonly (string | undefined)[], location: string): Head {
  const [
    revision,
    incarnation,
    expiresAt,
    ,
    nextRow,
    updatedAt,
    lease,
    version,
    partsVersion,
    ,
    ,
    ,
    horizon,
    ,
    life,
  ] = texts;
  const head = {
    revision: Number(revision),
    incarnation: incarnation ?? "",
    life: life ?? "",
    expiresAt: numberOf(expiresAt),
    nextRow: Number(nextRow),
    updatedAt: Number(updatedAt),
    lease: Number(lease),
    version: version ?? "",
    partsVersion: partsVersion ?? "",
    turnHorizon: numberOf(horizon) ?? 0,
  };
  const isSound =
    Number.isSafeInteger(head.revision) &&
    Number.isSafeInteger(head.nextRow) &&
    !Number.isNaN(head.updatedAt);
  if (!isSound || head.incarnation === "" || head.version === "")
    throw new Damage(location, "lacks fields that every session has");
  return head;
}

function readWindow(texts: readonly (string | undefined)[], location: string): WindowHead | undefined {
  const [format, revision, status, expiresAt, deletedAt, , , , givenHorizon, generatedHorizon] = texts;
  if (format === undefined && revision === undefined) return undefined;
  const window = {
    revision: Number(revision),
    isLive: status === "live",
    expiresAt: numberOf(expiresAt),
    deletedAt: numberOf(deletedAt),
    givenHorizon: numberOf(givenHorizon) ?? 0,
    generatedHorizon: numberOf(generatedHorizon) ?? 0,
  };
  if (!Number.isSafeInteger(window.revision)) throw new Damage(location, "has no revision in its window");
  return window;
}

/** What the caller knows already is not sent again. */
function contentOf(
  head: Head,
  small: string | undefined,
  parts: string | undefined,
  known: Present | undefined,
  location: string,
): Content {
  const isSameLife = known !== undefined && known.head.life === head.life && head.life !== "";
  const table = isSameLife ? known.content.table : new RowTable();
  return {
    small: read<SmallState>(
      small,
      known?.head.version === head.version ? known.content.small : undefined,
      `${location}, field z`,
    ),
    parts: read<Parts>(
      parts,
      known?.head.partsVersion === head.partsVersion ? known.content.parts : undefined,
      `${location}, field y`,
    ),
    table,
  };
}

function read<Value>(text: string | undefined, known: Value | undefined, location: string): Value {
  if (known !== undefined) return known;
  if (text === undefined) throw new Damage(location, "is not there");
  return parseChecked<Value>(text, location);
}

function readRows(
  { head, content }: Present,
  texts: readonly (string | undefined)[],
  rowAt: (index: number) => number,
  location: string,
): void {
  texts.forEach((text, index) => {
    // One that is not there may be one that nobody holds any more. If a history holds it, it will be asked for again.
    if (text !== undefined)
      content.table.read(rowAt(index), text, `${location}, field m${rowAt(index)}`, head.version);
  });
}
