import { execFile, spawnSync } from "node:child_process";
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { appendFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { extend, openJsonFileStore, type SessionStore } from "../src/index.js";
import type { ChecksummedLine } from "../src/session/lines/checksummed-line.js";
import { encodeLines } from "../src/session/lines/encode-lines.js";
import { segmentOf } from "./conformance/folder-place.js";

const run = promisify(execFile);
const page = readFileSync(new URL("../../../../docs/formats/json-file.md", import.meta.url), "utf8");

/** A program on the page that describes the format. */
function program(fence: string): string {
  const [text, ...others] = page.split(`\n\`\`\`${fence}\n`).slice(1);
  if (text === undefined || others.length > 0) throw new Error(`the page must have one fence "${fence}"`);
  return text.slice(0, text.indexOf("\n```"));
}

interface Reader {
  readonly command: string;
  readonly file: string;
  readonly text: string;
}

const javaScript: Reader = {
  command: process.execPath,
  file: "read-session.mjs",
  text: program('ts no-check="plain JavaScript that a test runs"'),
};
const python: Reader = { command: "python3", file: "read_session.py", text: program("python") };
const hasPython = spawnSync("python3", ["--version"]).status === 0;

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "sessions-format-"));
});

afterEach(() => rm(root, { recursive: true, force: true }));

const say = (id: string, content = `<${id}>`): { id: string; role: string; content: string } => ({
  id,
  role: "user",
  content,
});

async function inStore(work: (store: SessionStore) => Promise<unknown>, rotateBytes?: number): Promise<void> {
  await using store = await openJsonFileStore({ root, rotateBytes });
  await work(store);
}

const messages = async (store: SessionStore): Promise<readonly unknown[]> =>
  (await store.getSession("s"))?.messages ?? [];

/** What a program makes of the journal. */
async function readBy({ command, file, text }: Reader): Promise<unknown[]> {
  const path = join(root, file);
  writeFileSync(path, text);
  const { stdout } = await run(command, [path, join(root, "sessions", "s")], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** The end of the journal: where a line would stand, and where the last one stands. */
async function ending(): Promise<{ path: string; end: number; lastAt: number; last: string; salt: string }> {
  const path = await segmentOf(root, "s");
  const text = readFileSync(path, "latin1");
  const { salt } = JSON.parse(text.slice(0, text.indexOf("\n")));
  const lastAt = text.lastIndexOf("\n", text.length - 2) + 1;
  return { path, end: text.length, lastAt, last: JSON.parse(text.slice(lastAt)).c, salt };
}

function linesAt(offset: number, last: string, salt: string, count: number): readonly ChecksummedLine[] {
  const commit = (index: number): string =>
    `"commits":[{"r":9,"k":"late-${index}","t":1,"ops":[{"op":"append","messages":[{"id":"late-${index}"}],"onExisting":"fail"}]}]`;
  return encodeLines(
    Array.from({ length: count }, (_, index) => commit(index)),
    { offset, last, writer: "late", salt, unconfirmedFrom: offset },
  );
}

async function late(stump = ""): Promise<void> {
  const { path, lastAt, last, salt } = await ending();
  const [line] = linesAt(lastAt, last, salt, 1);
  await appendFile(path, Buffer.concat([Buffer.from(stump), line?.bytes ?? Buffer.of()]));
}

/** Journals that both readers know. */
const common: Readonly<Record<string, () => Promise<void>>> = {
  "messages that come, change and go": () =>
    inStore(async (store) => {
      await store.addMessage("s", say("1", "ä€😀\u0000\u2028"));
      await Promise.all(["2", "3", "4"].map((id) => store.addMessage("s", say(id))));
      await store.updateMessage("s", "2", { role: "user", content: "changed" });
      await store.removeMessages("s", ["3"]);
      await store.incrementCounters("s", { turns: 1 });
    }),
  "a torn line": async () => {
    await inStore((store) => store.addMessage("s", [say("1"), say("2")]));
    await appendFile((await ending()).path, '{"o":12,"p":"torn in the mid');
    await inStore((store) => store.addMessage("s", say("3")));
    await appendFile((await ending()).path, '{"o":99,"not yet fini');
  },
  "a late line": async () => {
    await inStore((store) => store.addMessage("s", say("1")));
    await late();
    await inStore((store) => store.addMessage("s", say("2")));
  },
  "parts, rotated": async () => {
    const many = Array.from({ length: 600 }, (_, index) => say(`m${index}`));
    await inStore((store) => store.addMessage("s", many), 0);
    await inStore((store) => store.addMessage("s", say("last")), 0);
    expect(await segmentOf(root, "s")).toMatch(/2\.jsonl$/);
    await inStore((store) => store.addMessage("s", [say("more"), ...many]));
  },
  "a rotation that was not finished": async () => {
    await inStore((store) => store.addMessage("s", say("1")));
    const { path } = await ending();
    const sealed = join(root, "sealed");
    linkSync(path, sealed); // a journal with two names is left for a new segment
    await inStore((store) => store.addMessage("s", say("2")));
    const seal = JSON.parse(readFileSync(sealed, "utf8").trimEnd().split("\n").at(-1) ?? "").seal;
    renameSync(join(dirname(path), "2.jsonl"), join(dirname(path), seal));
    renameSync(sealed, path);
  },
  "a deleted session, rotated": () =>
    inStore(async (store) => {
      await store.addMessage("s", say("1"));
      await store.deleteSession("s");
    }),
  "a deleted session": async () => {
    const path = join(root, "sessions", "s", "1.jsonl");
    let bytes = Buffer.alloc(0);
    await inStore(async (store) => {
      await store.addMessage("s", say("1"));
      await store.deleteSession("s");
      bytes = readFileSync(path); // as a process leaves it that is killed before it rotates
    });
    rmSync(dirname(path), { recursive: true });
    mkdirSync(dirname(path));
    writeFileSync(path, bytes);
  },
  "a deleted session created again": () =>
    inStore(async (store) => {
      await store.addMessage("s", say("1"));
      await store.deleteSession("s");
      await store.addMessage("s", say("2"));
    }, 0),
};

/** Journals for the reader that knows more. */
const further: Readonly<Record<string, () => Promise<void>>> = {
  "a short write whose rest came behind another's line": async () => {
    await inStore((store) => store.addMessage("s", say("1")));
    const { path, end, last, salt } = await ending();
    const line = linesAt(end, last, salt, 1)[0]?.bytes ?? Buffer.of();
    await appendFile(path, line.subarray(0, 40));
    await inStore((store) => store.addMessage("s", say("2")));
    await appendFile(path, line.subarray(40));
    await inStore((store) => store.addMessage("s", say("3")));
  },
  "replaced, archived, popped": () =>
    inStore(async (store) => {
      await store.addMessage("s", [say("1"), say("2"), say("3"), say("4")]);
      await store.archiveMessages("s", { keepRecent: 2 });
      await store.setChatHistory("s", [say("3"), say("5"), say("6")]);
      await store.popMessage("s");
      await store.addMessage("s", say("5", "replaced"), { onExisting: "replace" });
    }),
  "a fork, rotated": () =>
    inStore(async (store) => {
      await store.addMessage("parent", [say("1"), say("2")]);
      await store.archiveMessages("parent", { keepRecent: 1 });
      await store.forkSession("parent", { newId: "s" });
      await store.addMessage("s", say("3"));
    }, 0),
  "a text that grows": () =>
    inStore(async (store) => {
      await store.addMessage("s", { ...say("1", "so "), status: "partial" });
      await store.commit("s", [extend("1", { text: "far" })]);
      await store.commit("s", [extend("1", { metadata: { a: 1, b: 2 } })]);
      await store.commit("s", [extend("1", { text: ".", metadata: { a: null }, status: "complete" })]);
    }),
  "expired and created again": () =>
    inStore(async (store) => {
      await store.addMessage("s", say("1"));
      await store.patchSession("s", { expiresAt: 1 });
      await store.addMessage("s", say("2"));
    }),
  "an end that commits put off": () =>
    inStore(async (store) => {
      await store.createSession("s", { expiresIn: 3_600_000, renewOnUse: true, messages: [say("1")] });
      await store.addMessage("s", say("2"));
      await store.patchSession("s", { expiresIn: 7_200_000, renewOnUse: false });
    }),
  "expired after its last use and created again": () =>
    inStore(async (store) => {
      await store.createSession("s", { expiresIn: 1, renewOnUse: true, messages: [say("1")] });
      await vi.waitUntil(async () => (await store.getSession("s")) === undefined);
      await store.addMessage("s", say("2"));
    }),
  expired: () =>
    inStore(async (store) => {
      await store.addMessage("s", say("1"));
      await store.patchSession("s", { expiresAt: 1 });
    }),
  "a stump with a late line behind it": async () => {
    await inStore((store) => store.addMessage("s", say("1")));
    await late('{"o":99,"p":"a stump');
    await inStore((store) => store.addMessage("s", say("2")));
  },
  "a write that did not reach the disk but for its end": async () => {
    await inStore((store) => store.addMessage("s", say("1")));
    const { path, end, last, salt } = await ending();
    const [first, ...rest] = linesAt(end, last, salt, 3).map((line) => line.bytes);
    await appendFile(path, Buffer.concat([Buffer.alloc(first?.length ?? 0), ...rest]));
    await inStore((store) => store.addMessage("s", say("2")));
  },
};

async function expectSame(reader: Reader): Promise<void> {
  const printed = await readBy(reader); // first, because a store finishes rotations
  await inStore(async (store) => expect(printed).toEqual(await messages(store)));
}

/** Each with the journals that it knows. Where there is no Python, the other one still reads all of them. */
const readers = {
  JavaScript: { reader: javaScript, journals: { ...common, ...further } },
  ...(hasPython ? { Python: { reader: python, journals: common } } : {}),
};

describe.each(Object.entries(readers))("the %s reader on the page", (_language, { reader, journals }) => {
  test.each(Object.entries(journals))("reads what the store reads: %s", async (_name, make) => {
    await make();
    await expectSame(reader);
  });

  test("refuses a journal in which one byte is another", async () => {
    await inStore((store) => store.addMessage("s", say("1", "right")));
    await inStore((store) => store.addMessage("s", say("2")));
    await spoil();
    await expect(readBy(reader)).rejects.toMatchObject({ code: 1 });
  });

  test("refuses a journal without one of its lines", async () => {
    for (const id of ["1", "2", "3"]) await inStore((store) => store.addMessage("s", say(id)));
    const { path } = await ending();
    const lines = readFileSync(path, "utf8").split("\n");
    writeFileSync(path, lines.toSpliced(2, 1).join("\n"));
    await expect(readBy(reader)).rejects.toMatchObject({ code: 1 });
  });
});

async function spoil(): Promise<void> {
  const { path } = await ending();
  writeFileSync(path, readFileSync(path, "latin1").replace("right", "wrong"), "latin1");
}

describe("a broken reader is caught", () => {
  const broken = (find: string, replace: string): Reader => {
    expect(javaScript.text.split(find), find).toHaveLength(2);
    return { ...javaScript, text: javaScript.text.replace(find, replace) };
  };

  test.each([
    ["that does not look where a line stands", "a late line", "line.o < from", "false"],
    ["that does not know torn lines", "a torn line", '"#torn"', '"?"'],
    ["that takes the first parts", "parts, rotated", "parts.splice(0, count)", "parts.splice(0, 1)"],
    [
      "that does not follow a seal",
      "a rotation that was not finished",
      "if (!seal) return lines;",
      "return lines;",
    ],
    ["that keeps what was deleted", "a deleted session", "delete: () => nothing(),", ""],
  ])("one %s", async (_what, journal, find, replace) => {
    await { ...common, ...further }[journal]?.();
    const reader = broken(find, replace);
    await expect(expectSame(reader)).rejects.toThrow();
  });

  test("one that does not check checksums", async () => {
    await inStore((store) => store.addMessage("s", say("1", "right")));
    await spoil();
    const printed = await readBy(broken("found === right", "found"));
    expect(printed, "so the test above would fail").toMatchObject([{ content: "wrong" }]);
  });
});
