import { readFileSync } from "node:fs";
import { appendFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openJsonFileStore, type SessionStore } from "../../src/index.js";
import { encodeLines } from "../../src/session/lines/encode-lines.js";
import { segmentOf } from "../conformance/folder-place.js";

const CUT = 60;

/** Adds a message by a store of its own, as another process would. */
async function say(root: string, id: string): Promise<void> {
  await using store = await openJsonFileStore({ root });
  await store.addMessage("s", { id, role: "user", content: id });
}

/** A line for the end of a journal, and its path. */
async function nextLine(root: string): Promise<{ readonly path: string; readonly line: Buffer }> {
  const path = await segmentOf(root, "s");
  const text = readFileSync(path, "latin1");
  const { salt } = JSON.parse(text.slice(0, text.indexOf("\n")));
  const last: string = JSON.parse(text.trimEnd().split("\n").at(-1) ?? "").c;
  const commit = `"commits":[{"r":2,"k":"cut","t":1,"ops":[{"op":"append","messages":[{"id":"cut"}],"onExisting":"fail"}]}]`;
  const place = { offset: text.length, last, writer: "slow", salt, unconfirmedFrom: text.length };
  return { path, line: encodeLines([commit], place)[0]?.bytes ?? Buffer.of() };
}

/** A session into which a line was written in two pieces, with a line of another process between them. */
async function interrupted(rest: (line: Buffer) => Buffer): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "sessions-continued-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await say(root, "before");
  const { path, line } = await nextLine(root);
  await appendFile(path, line.subarray(0, CUT));
  await say(root, "between");
  await appendFile(path, rest(line));
  return root;
}

const ids = async (store: SessionStore): Promise<string[]> =>
  (await store.getChatHistory("s")).map(({ id }) => id);

describe("the rest of a short write that Node wrote behind another's line", () => {
  test("is recognised by the checksum of the whole line, and does not count", async () => {
    const root = await interrupted((line) => line.subarray(CUT));
    await say(root, "after");
    await using store = await openJsonFileStore({ root });
    expect(await ids(store)).toEqual(["before", "between", "after"]);
    expect(await store.verify("s")).toMatchObject({
      ok: true,
      findings: expect.arrayContaining([
        expect.objectContaining({ detail: expect.stringContaining("the rest of a line") }),
      ]),
    });
  });

  test.each<[string, (line: Buffer) => Buffer]>([
    ["with another byte in it", (line) => Buffer.from(line.subarray(CUT).toString().replace("cut", "cuT"))],
    ["without its first byte", (line) => line.subarray(CUT + 1)],
    ["that stands there twice", (line) => Buffer.concat([line.subarray(CUT), line.subarray(CUT)])],
  ])("%s is damage", async (_name, rest) => {
    const root = await interrupted(rest);
    await using store = await openJsonFileStore({ root });
    await expect(ids(store)).rejects.toMatchObject({ code: "SESSION_CORRUPTED" });
  });
});
