import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openJsonFileStore, type Session, SessionError } from "../src/index.js";

let root: string;
let journal: Buffer;
/** The session after each of its commits. */
const states: (Session | undefined)[] = [];
const path = (): string => join(root, "sessions", "s", "1.jsonl");

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "sessions-damage-"));
  await using store = await openJsonFileStore({ root });
  await store.addMessage("bystander", { role: "user", content: "untouched" });
  for (const content of ["one", "two", "three"]) {
    await store.addMessage("s", { role: "user", content });
    states.push(await store.getSession("s"));
  }
  journal = await readFile(path());
});

afterAll(() => rm(root, { recursive: true, force: true }));

/** What a newly opened store makes of these bytes. */
async function readAs(bytes: Buffer): Promise<Session | undefined | "corrupted"> {
  await writeFile(path(), bytes);
  await using store = await openJsonFileStore({ root });
  const session = await store.getSession("s").catch((error: unknown) => {
    if (SessionError.is(error, "SESSION_CORRUPTED", "FORMAT_UNSUPPORTED")) return "corrupted" as const;
    throw error;
  });
  expect(await store.getChatHistory("bystander")).toHaveLength(1);
  expect((await store.listSessions()).items.map((item) => item.id)).toContain("bystander");
  return session;
}

const linesOf = (): Buffer[] => {
  const text = journal.toString("latin1").split("\n").slice(0, -1);
  return text.map((line) => Buffer.from(`${line}\n`, "latin1"));
};

describe("a damaged journal is never read as something else", () => {
  test("every byte flipped: the exact state, or SESSION_CORRUPTED", async () => {
    for (let index = 0; index < journal.length; index++) {
      const bytes = Buffer.from(journal);
      bytes[index] = (bytes[index] ?? 0) ^ 1;
      const read = await readAs(bytes);
      // A flipped line end joins two lines or leaves the last one unfinished, as a torn write would.
      const lastLineEnd = index === journal.length - 1;
      if (lastLineEnd) expect(read).toEqual(states[1]);
      else expect(read, `byte ${index}`).toBe("corrupted");
    }
  });

  test("cut anywhere: the state after the last whole record", async () => {
    let end = 0;
    const ends = linesOf().map((line) => {
      end += line.length;
      return end;
    });
    for (let length = ends[0] ?? 0; length < journal.length; length++) {
      const whole = ends.filter((end) => end <= length).length - 2;
      expect(await readAs(journal.subarray(0, length)), `${length} bytes`).toEqual(states[whole]);
    }
  });

  test("a line dropped, doubled or swapped: SESSION_CORRUPTED, or the state before a last line that is gone", async () => {
    const lines = linesOf();
    const last = lines.length - 1;
    for (const [index, line] of lines.entries()) {
      const dropped = await readAs(Buffer.concat(lines.toSpliced(index, 1)));
      expect(dropped, `without line ${index}`).toEqual(index === last ? states[1] : "corrupted");
      const doubled = await readAs(Buffer.concat(lines.toSpliced(index, 0, line)));
      expect(doubled, `line ${index} twice`).toBe("corrupted");
      const swapped = lines.toSpliced(index, 2, ...lines.slice(index, index + 2).reverse());
      if (index < last)
        expect(await readAs(Buffer.concat(swapped)), `line ${index} and the next`).toBe("corrupted");
    }
  });

  test("the next append closes a torn line, and spoils neither", async () => {
    await writeFile(path(), journal.subarray(0, journal.length - 9));
    await using store = await openJsonFileStore({ root });
    await store.addMessage("s", { role: "user", content: "after the crash" });
    await using other = await openJsonFileStore({ root });
    const contents = (await other.getChatHistory("s")).map((message) => message.content);
    expect(contents).toEqual(["one", "two", "after the crash"]);
    expect(await other.verify("s")).toMatchObject({ ok: true, findings: [{ severity: "benign" }] });
  });
});
