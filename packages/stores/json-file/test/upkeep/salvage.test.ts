import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openJsonFileStore, type SessionStore } from "../../src/index.js";
import { type Salvaged, salvageSession } from "../../src/maintenance.js";
import { segmentOf } from "../conformance/folder-place.js";
import { SegmentWriter } from "../fixtures/segment-writer.js";

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "sessions-salvage-"));
});

afterEach(() => rm(root, { recursive: true, force: true }));

/** Makes a journal; returns its lines with their ends, the header first. */
async function journal(write: (store: SessionStore) => Promise<unknown>): Promise<string[]> {
  const store = await openJsonFileStore({ root });
  await write(store);
  await store.close();
  return linesOf(await readFile(await segmentOf(root, "s"), "latin1"));
}

const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line) => `${line}\n`);

/** Salvages these lines, and reads back what was saved. */
async function salvaged(lines: readonly string[]): Promise<Salvaged & { readonly contents: unknown[] }> {
  await writeFile(await segmentOf(root, "s"), lines.join(""), "latin1");
  await using store = await openJsonFileStore({ root });
  await expect(store.getSession("s")).rejects.toMatchObject({ code: "SESSION_CORRUPTED" });
  const newId = `saved-${saved++}`;
  const result = await salvageSession({ root, sessionId: "s", newId });
  expect(await store.verify(newId), "what was saved is a sound journal").toMatchObject({ ok: true });
  const contents = (await store.getChatHistory(newId)).map(({ content }) => content);
  return { ...result, contents };
}
let saved = 0;

/** One byte of a line is another, and its length is the same. */
const spoilt = (line = "", at = Math.floor(line.length / 2)): string =>
  line.slice(0, at) + String.fromCharCode(line.charCodeAt(at) ^ 1) + line.slice(at + 1);

const replaced = (lines: readonly string[], index: number, ...instead: readonly string[]): string[] =>
  lines.toSpliced(index, 1, ...instead);

const say = (content: string): { role: string; content: string } => ({ role: "user", content });
const TEN = Array.from({ length: 10 }, (_, n) => `<${n + 1}>`);

const ten = (): Promise<string[]> =>
  journal(async (store) => {
    for (const [n, content] of TEN.entries())
      await store.addMessage("s", say(content), { commitId: `c${n + 1}` });
  });

describe("of ten commits", () => {
  test("one spoilt line costs its own commit, wherever it stands, and the result names it", async () => {
    const lines = await ten();
    for (const [index, content] of TEN.entries()) {
      const { contents, lost, appliedBeyond, reached } = await salvaged(
        replaced(lines, index + 1, spoilt(lines[index + 1])),
      );
      expect(contents).toEqual(TEN.filter((other) => other !== content));
      expect(lost).toEqual([{ revision: index + 1, commitId: `c${index + 1}`, reason: "it cannot be read" }]);
      expect(appliedBeyond).toBe(9 - index);
      expect(reached).toBe(10);
    }
  });

  test("any byte of a line may be spoilt, its end too, at the cost of one commit at most", async () => {
    const lines = await ten();
    const line = lines[4] ?? "";
    for (let at = 0; at < line.length; at += 7) {
      const { contents, lost } = await salvaged(replaced(lines, 4, spoilt(line, at)));
      expect(contents.length, `byte ${at}`).toBeGreaterThanOrEqual(9);
      expect(lost).toHaveLength(10 - contents.length);
    }
    const { contents, lost } = await salvaged(replaced(lines, 4, spoilt(line, line.length - 1)));
    expect(contents, "both records beside a spoilt line end are whole").toEqual(TEN);
    expect(lost).toEqual([]);
  });

  test("three spoilt lines cost three", async () => {
    const lines = await ten();
    const damaged = lines.map((line, index) => ([3, 4, 8].includes(index) ? spoilt(line) : line));
    const { contents, lost } = await salvaged(damaged);
    expect(contents).toEqual(TEN.filter((content) => !["<3>", "<4>", "<8>"].includes(content)));
    expect(lost.map(({ revision }) => revision)).toEqual([3, 4, 8]);
  });

  test("a line that was edited and is longer now, or was removed, costs its own commit", async () => {
    const lines = await ten();
    const others = TEN.filter((content) => content !== "<4>");
    const edited = await salvaged(replaced(lines, 4, lines[4]?.replace("<4>", "<something longer>") ?? ""));
    expect(edited).toMatchObject({ contents: others, lost: [{ revision: 4, commitId: "c4" }] });
    const removed = await salvaged(replaced(lines, 4));
    expect(removed).toMatchObject({ contents: others, lost: [{ revision: 4 }] });
  });

  test("a line that something longer was written over costs its own commit", async () => {
    const lines = await ten();
    const { contents, lost } = await salvaged(replaced(lines, 4, `${"somebody was here ".repeat(30)}\n`));
    expect(contents).toEqual(TEN.filter((content) => content !== "<4>"));
    expect(lost).toMatchObject([{ revision: 4 }]);
  });

  test("a line end that is missing, and two lines that were swapped, cost nothing", async () => {
    const lines = await ten();
    const joined = await salvaged(replaced(lines, 4, lines[4]?.trimEnd() ?? ""));
    expect(joined).toMatchObject({ contents: TEN, lost: [] });
    const swapped = await salvaged(lines.toSpliced(4, 2, ...lines.slice(4, 6).toReversed()));
    expect(swapped).toMatchObject({ contents: TEN, lost: [] });
  });

  test("text between two lines, and a line that stands twice, cost nothing", async () => {
    const lines = await ten();
    const put = await salvaged(replaced(lines, 4, lines[4] ?? "", "somebody was here\n"));
    expect(put).toMatchObject({ contents: TEN, lost: [] });
    const doubled = await salvaged(replaced(lines, 4, lines[4] ?? "", lines[4] ?? ""));
    expect(doubled).toMatchObject({ contents: TEN, lost: [] });
  });

  test("those that were saved keep their ids, and none is applied twice", async () => {
    const lines = await ten();
    const { sessionId } = await salvaged(replaced(lines, 4, spoilt(lines[4])));
    await using store = await openJsonFileStore({ root });
    for (const [n, content] of TEN.entries()) {
      const { duplicate } = await store.addMessage(sessionId, say(content), { commitId: `c${n + 1}` });
      expect(duplicate, content).toBe(n !== 3);
    }
    expect(await store.getChatHistory(sessionId)).toHaveLength(10);
  });

  test("without those behind the damage, all of them are reported as lost", async () => {
    const lines = await ten();
    await writeFile(await segmentOf(root, "s"), replaced(lines, 4, spoilt(lines[4])).join(""), "latin1");
    const options = { root, sessionId: "s", newId: "before", beyondDamage: false };
    const { messages, lost, reached } = await salvageSession(options);
    expect({ messages, reached }).toEqual({ messages: 3, reached: 10 });
    expect(lost.map(({ commitId }) => commitId)).toEqual(["c4", "c5", "c6", "c7", "c8", "c9", "c10"]);
  });
});

/** A question, two answers in pieces and an end: each turn is six commits. */
async function turns(store: SessionStore): Promise<void> {
  for (const name of ["a", "b", "c"]) {
    const begun = await store.beginTurn("s", { turnId: name, ttlMs: 60_000, messages: say(`${name}?`) });
    if (begun.status !== "begun") throw new Error("it has been run before");
    const { turn } = begun;
    for (const n of [1, 2, 3, 4]) await turn.append({ role: "assistant", content: `${name}${n}` });
    await turn.complete([{ op: "count", deltas: { turns: 1 } }]);
  }
}

test("a spoilt line of a turn costs what it says, and neither the rest of the turn nor later turns", async () => {
  const lines = await journal(turns);
  expect(lines).toHaveLength(19);
  const all = ["a", "b", "c"].flatMap((name) => [`${name}?`, ...[1, 2, 3, 4].map((n) => `${name}${n}`)]);
  for (let index = 1; index < lines.length; index++) {
    const { contents, lost } = await salvaged(replaced(lines, index, spoilt(lines[index])));
    const own = all.filter((content) => lines[index]?.includes(`"${content}"`));
    expect(contents, `line ${index}`).toEqual(all.filter((content) => !own.includes(content)));
    // Where the beginning of a turn is lost, its end has nothing to end.
    expect(lost.filter(({ reason }) => reason === "it cannot be read")).toMatchObject([{ revision: index }]);
    expect(lost.length).toBeLessThanOrEqual(2);
  }
});

test("a line whose writer was overtaken is not applied, before or behind the damage", async () => {
  const lines = await journal(async (store) => {
    await store.addMessage("s", say("<1>"));
    const path = await segmentOf(root, "s");
    const late = new SegmentWriter(path);
    await store.addMessage("s", say("<2>"));
    const ops = [{ op: "count", deltas: { late: 1 } }] as const;
    expect(late.commit({ sessionId: "s", id: "late", at: 1, ops })).toBe("overtaken");
    late.close();
    await store.addMessage("s", say("<3>"));
  });
  expect(lines).toHaveLength(5);
  for (const at of [20, Math.floor((lines[2]?.length ?? 0) / 2), (lines[2]?.length ?? 0) - 5]) {
    const { contents, sessionId, lost } = await salvaged(replaced(lines, 2, spoilt(lines[2], at)));
    expect(contents).toEqual(["<1>", "<3>"]);
    expect(lost.map(({ revision }) => revision)).toEqual([2]);
    await using store = await openJsonFileStore({ root });
    expect((await store.getSession(sessionId))?.counters).toEqual({});
  }
});

describe("of a segment that begins with a state", () => {
  const rotated = async (): Promise<string[]> => {
    const eraser = await openJsonFileStore({ root, rotateBytes: 0 });
    for (const content of ["<1>", "<2>"]) await eraser.addMessage("s", say(content));
    await eraser.close();
    return journal(async (store) => {
      for (const content of ["<3>", "<4>"]) await store.addMessage("s", say(content));
    });
  };

  test("a spoilt first line costs nothing", async () => {
    const lines = await rotated();
    expect(await salvaged(replaced(lines, 0, spoilt(lines[0], 15)))).toMatchObject({
      contents: ["<1>", "<2>", "<3>", "<4>"],
      lost: [],
    });
  });

  test("a spoilt state costs what was in it, and not what was added since", async () => {
    const lines = await rotated();
    const { contents, lost, reached } = await salvaged(replaced(lines, 1, spoilt(lines[1], 60)));
    expect({ contents, reached }).toEqual({ contents: ["<3>", "<4>"], reached: 4 });
    expect(lost.map(({ revision }) => revision)).toEqual([1, 2]);
  });
});

test("a replaced history behind a lost commit is lost too, because it would drop messages that it kept", async () => {
  const message = (id: string): { id: string; role: string; content: string } => ({
    id,
    role: "user",
    content: id,
  });
  const lines = await journal(async (store) => {
    for (const id of ["m0", "m1", "m2", "m3", "m4"]) await store.addMessage("s", message(id));
    await store.removeMessages("s", ["m1"]);
    await store.setChatHistory("s", ["m0", "m2", "m3"].map(message));
    await store.addMessage("s", message("m5"));
  });
  const { contents, lost } = await salvaged(replaced(lines, 6, spoilt(lines[6])));
  expect(contents).toEqual(["m0", "m1", "m2", "m3", "m4", "m5"]);
  expect(lost.map(({ revision }) => revision)).toEqual([6, 7]);
});
