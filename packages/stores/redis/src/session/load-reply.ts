import { type CommitMemory, Damage, type TurnMemory } from "@sessions/protocol/backend";
import {
  NO_MAX_ID,
  type PartKind,
  type PartRow,
  readOpenHotState,
  readParts,
  type StoredMessage,
} from "@sessions/row-engine";
import { listOf, numberOf, textOf, textsOf } from "../engine/reply.js";
import { newerFormat, refuseNewer } from "../error-mapping.js";
import { FIELDS } from "../keys/fields.js";
import { FORMAT_VERSION } from "../keys/format-version.js";
import { textOfChecked } from "./checked-text.js";
import type { LoadRequest } from "./load-request.js";
import { readGivenCommit, readTurn } from "./memory-text.js";
import { readRow } from "./row-text.js";
import {
  generatedCounts,
  grownContent,
  type IndexRemains,
  type SessionContent,
  type SessionEntry,
} from "./session-entry.js";
import { memoryCounts, readHead, type SessionHead } from "./session-head.js";
import { readUnusedRows } from "./unused-rows.js";
import type { Lookups } from "./wanted.js";

/** A row that was read. */
interface ReadRow {
  readonly row: number;
  readonly stored: StoredMessage;
  /** The length of its text. */
  readonly size: number;
}

/** What load.lua has read. */
export interface Loaded {
  readonly entry: SessionEntry;
  readonly rows: readonly ReadRow[];
  /** Rows that were asked for and are not there. */
  readonly missing: readonly number[];
  /** How many of the rows were looked at: some are left out if they are large. */
  readonly answered: number;
  readonly lookups: Lookups;
}

/** When the server was asked, and what was known of the session then. */
export interface Asked {
  readonly id: string;
  readonly request: LoadRequest;
  readonly askedAt: number;
  readonly known: SessionEntry | undefined;
}

/** What the partition's head says: `undefined` if there is none. */
export function formatIn(reply: unknown): number | undefined {
  return numberOf(listOf(reply)[1]);
}

/** The lines of the record in a reply: see session.lua. */
export function recordIn(reply: unknown): readonly string[] {
  return (textOf(listOf(reply)[2]) ?? "").split("\n");
}

/** What summaries.lua gives of a session is the beginning of what load.lua gives. */
const NOTHING_ELSE: readonly unknown[] = [0, [], [], [], [], [], [], []];

export function readSummary(reply: readonly unknown[], asked: Asked): SessionEntry {
  return readLoaded([...reply, ...NOTHING_ELSE], asked).entry;
}

/** Throws if the data is not of this format. */
export function requireFormat(format: number): void {
  refuseNewer(format);
  if (format !== FORMAT_VERSION) throw newerFormat(format);
}

export function readLoaded(reply: unknown, asked: Asked): Loaded {
  return new LoadedReader(listOf(reply), asked).read();
}

class LoadedReader {
  readonly #reply: readonly unknown[];
  readonly #asked: Asked;
  readonly #location: string;

  constructor(reply: readonly unknown[], asked: Asked) {
    this.#reply = reply;
    this.#asked = asked;
    this.#location = `session ${asked.id}`;
  }

  read(): Loaded {
    const { id, request, askedAt } = this.#asked;
    const lines = recordIn(this.#reply);
    const sizes = { record: Number(lines[20]), session: Number(lines[21]) };
    const head = readHead(lines, sizes, `the record of ${this.#location}`);
    const content = sizes.session === 0 ? undefined : this.#content(head, lines.slice(22), sizes.session);
    const entry: SessionEntry = {
      id,
      now: numberOf(this.#reply[0]) ?? 0,
      askedAt,
      head,
      content,
      remains: this.#remains(),
    };
    const rows: ReadRow[] = [];
    const missing: number[] = [];
    this.#tail(content, rows);
    const { extensions, ids, turns } = this.#fields();
    const texts = textsOf(this.#reply[8]);
    // Those that are too large to come together are left out at the end.
    for (const [index, row] of request.rows.slice(0, texts.length).entries()) {
      const text = texts[index];
      if (text === undefined) missing.push(row);
      else this.#row(row, text, extensions.get(row), content, rows);
    }
    const commits = textsOf(this.#reply[10]);
    const lookups = {
      ids,
      turns,
      commits: new Map(request.commits.map((commit, index) => [commit, commits[index]])),
      allCommits: this.#allCommits(),
      allTurns: this.#allTurns(),
    };
    return {
      entry,
      rows,
      missing,
      answered: texts.length,
      lookups,
    };
  }

  #content(head: SessionHead | undefined, line: readonly string[], size: number): SessionContent {
    if (head === undefined) throw new Damage(`the record of ${this.#location}`, "is not there");
    const { known } = this.#asked;
    const { commits, turns } = { commits: head.given, turns: this.#turnLine(line, size) };
    if (known?.content !== undefined && known.head?.version === head.version) {
      const content = grownContent(known.content, known.head.nextRow, head);
      return { ...content, hot: { ...content.hot, turns } };
    }
    const [state, unused] = [textOf(this.#reply[3]), textOf(this.#reply[4])];
    if (state === undefined) throw new Damage(`state of ${this.#location}`, "is not there");
    const location = `state of ${this.#location}`;
    const appended = {
      nextRow: head.nextRow,
      maxId: NO_MAX_ID,
      commits,
      turns,
      generated: generatedCounts(head.generated),
    };
    return {
      hot: readOpenHotState(textOfChecked(state, location), appended, location),
      parts: readParts(this.#parts(), this.#location),
      drafts: new Map(),
      unused: readUnusedRows(unused, `unused of ${this.#location}`),
    };
  }

  #parts(): readonly PartRow[] {
    const list = textsOf(this.#reply[5]);
    const parts: PartRow[] = [];
    for (let index = 0; index < list.length; index += 2) {
      const n = Number(list[index]);
      const text = list[index + 1];
      const location = `part ${n} of ${this.#location}`;
      if (text === undefined) throw new Damage(location, "is not there");
      const space = text.indexOf(" ");
      parts.push({
        n,
        kind: partKind(text.slice(0, space), location),
        body: textOfChecked(text.slice(space + 1), location),
      });
    }
    return parts.sort((a, b) => a.n - b.n);
  }

  #turnLine([first, next, horizon]: readonly string[], size: number): ReturnType<typeof memoryCounts> {
    const required = (name: string, text: string | undefined): number => {
      const number = numberOf(text) ?? Number.NaN;
      if (Number.isNaN(number)) throw new Damage(`${name} of ${this.#location}`, "is no number");
      return number;
    };
    const counts = memoryCounts(
      required(FIELDS.TURNS_FIRST, first),
      required(FIELDS.TURNS_NEXT, next),
      required(FIELDS.TURNS_HORIZON, horizon),
    );
    if (counts.stored < 0 || counts.stored > size)
      throw new Damage(`turns of ${this.#location}`, `are said to be ${counts.stored}`);
    return counts;
  }

  #remains(): IndexRemains {
    const [entry, score, ends, incomplete] = textsOf(this.#reply[13]);
    return {
      entry: entry ?? "",
      isIndexed: score !== undefined,
      endsAt: numberOf(ends),
      isIncomplete: incomplete !== undefined,
    };
  }

  /** The last rows. One that is missing is noticed by who needs it. */
  #tail(content: SessionContent | undefined, rows: ReadRow[]): void {
    const first = numberOf(this.#reply[6]) ?? 0;
    for (const [index, text] of textsOf(this.#reply[7]).entries())
      if (text !== undefined) this.#row(first + index, text, undefined, content, rows);
  }

  #row(
    row: number,
    text: string,
    extensions: readonly string[] | undefined,
    content: SessionContent | undefined,
    rows: ReadRow[],
  ): void {
    const count = content?.hot.drafts.get(row) ?? 0;
    if (count !== (extensions?.length ?? 0)) return; // a draft at another version than that it was asked for
    const stored = readRow(text, extensions ?? [], `row ${row} of ${this.#location}`);
    rows.push({ row, stored, size: text.length });
  }

  #fields(): {
    readonly ids: ReadonlyMap<string, readonly number[]>;
    readonly turns: ReadonlyMap<string, string | undefined>;
    readonly extensions: ReadonlyMap<number, readonly string[]>;
  } {
    const { ids, turns, extensions } = this.#asked.request;
    const values = textsOf(this.#reply[9]);
    let at = ids.length + turns.length;
    return {
      ids: new Map(ids.map((id, index) => [id, values[index]?.split(",").map(Number) ?? []])),
      turns: new Map(turns.map((id, index) => [id, values[ids.length + index]])),
      extensions: new Map(
        extensions.map(({ row, count }) => {
          const texts = values.slice(at, at + count).filter((text) => text !== undefined);
          at += count;
          return [row, texts];
        }),
      ),
    };
  }

  #allCommits(): readonly CommitMemory[] | undefined {
    if (!this.#asked.request.allCommits) return undefined;
    const location = `commits of ${this.#location}`;
    return textsOf(this.#reply[11]).flatMap((text) => {
      if (text === undefined) return [];
      const commit = readGivenCommit(text, location);
      if (commit === undefined) throw new Damage(location, `have "${text.slice(0, 20)}", which is none`);
      return [commit];
    });
  }

  #allTurns(): readonly TurnMemory[] | undefined {
    if (!this.#asked.request.allTurns) return undefined;
    const location = `turns of ${this.#location}`;
    return textsOf(this.#reply[12]).flatMap((text) => (text === undefined ? [] : [readTurn(text, location)]));
  }
}

function partKind(text: string, location: string): PartKind {
  if (text === "metadata" || text === "archive" || text === "snapshot") return text;
  throw new Damage(location, "is of no known kind");
}
