import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openJsonFileStore, type Session, SessionError, type SessionStore } from "../../src/index.js";
import { segmentOf } from "../conformance/folder-place.js";
import { SegmentWriter } from "../fixtures/segment-writer.js";

type Result = Session | undefined | "corrupted";

/** A journal and the session after each of its lines. */
interface Sample {
  readonly root: string;
  readonly path: string;
  readonly lines: readonly Buffer[];
  readonly states: readonly Result[];
  /** How far apart the bytes are that are changed: every byte, unless the journal is long. */
  readonly stride: number;
}

/** Cuts are tried at one in this many bytes: the crash enumeration cuts an append at every byte. */
const CUT_STRIDE = 7;

const roots: string[] = [];
afterAll(() => Promise.all(roots.map((root) => rm(root, { recursive: true, force: true }))));

async function sample(
  write: (store: SessionStore, root: string) => Promise<void>,
  rotateBytes?: number,
): Promise<Sample> {
  const root = await mkdtemp(join(tmpdir(), "sessions-damage-"));
  roots.push(root);
  const store = await openJsonFileStore({ root, rotateBytes });
  await store.addMessage("bystander", { role: "user", content: "untouched" });
  await write(store, root);
  await store.close();
  const path = await segmentOf(root, "s");
  const lines = linesIn(await readFile(path));
  const draft = { root, path, lines, states: [], stride: 1 };
  const states: Result[] = [];
  for (const index of lines.keys())
    states.push(await readAs(draft, Buffer.concat(lines.slice(0, index + 1))));
  expect(states.at(-1)).toMatchObject({ id: "s" });
  return { ...draft, states, stride: Buffer.concat(lines).length > 4000 ? 97 : 1 };
}

function linesIn(bytes: Buffer): Buffer[] {
  const text = bytes.toString("latin1").split("\n").slice(0, -1);
  return text.map((line) => Buffer.from(`${line}\n`, "latin1"));
}

let reads = 0;

/** Other sessions are untouched, and listing works. */
async function expectBystander(store: SessionStore): Promise<void> {
  expect(await store.getChatHistory("bystander")).toHaveLength(1);
  expect((await store.listSessions()).items.map((item) => item.id)).toContain("bystander");
}

/** What a newly opened store makes of these bytes. It is read-only, because opening one for writing waits for the disk. */
async function readAs({ root, path }: Pick<Sample, "root" | "path">, bytes: Buffer): Promise<Result> {
  await writeFile(path, bytes);
  await using store = await openJsonFileStore({ root, readOnly: true });
  const session = await store.getSession("s").catch((error: unknown) => {
    if (SessionError.is(error, "SESSION_CORRUPTED", "FORMAT_UNSUPPORTED")) return "corrupted" as const;
    throw error;
  });
  if (reads++ % 32 === 0) await expectBystander(store);
  return session;
}

const say = (content: string): { role: string; content: string } => ({ role: "user", content });

/** A few commits, nothing else. */
const plain = (): Promise<Sample> =>
  sample(async (store) => {
    for (const content of ["one", "two and a space", "three"]) await store.addMessage("s", say(content));
  });

/** What crashes and late writers leave behind: a torn line, an overtaken record, a stump with a record behind it. */
const traces = (): Promise<Sample> =>
  sample(async (store, root) => {
    await store.addMessage("s", say("one"));
    const path = await segmentOf(root, "s");
    const late = new SegmentWriter(path);
    const later = new SegmentWriter(path);
    await appendFile(path, '{"o":12,"p":"torn in the mid');
    await store.addMessage("s", say("two"));
    expect(late.say("late")).toBe("overtaken");
    await store.addMessage("s", say("three"));
    await appendFile(path, '{"o":99,"p":"a stump');
    expect(later.say("late")).toBe("overtaken");
    await store.addMessage("s", say("four"));
    late.close();
    later.close();
  });

/** A segment that begins with a state. */
const rotated = (): Promise<Sample> =>
  sample(async (store) => {
    for (const content of ["one", "two"]) await store.addMessage("s", say(content));
    await store.createSnapshot("s", "mark");
    await store.close();
  }, 0).then(async (sealed) => {
    await using store = await openJsonFileStore({ root: sealed.root });
    await store.addMessage("s", say("three"));
    await store.addMessage("s", say("four"));
    const lines = linesIn(await readFile(sealed.path));
    const states: Result[] = [];
    for (const index of lines.keys())
      states.push(await readAs(sealed, Buffer.concat(lines.slice(0, index + 1))));
    return { ...sealed, lines, states };
  });

/** A commit that is too long for one line. */
const parted = (): Promise<Sample> =>
  sample(async (store) => {
    await store.addMessage("s", say("one"));
    await store.addMessage(
      "s",
      Array.from({ length: 600 }, (_, index) => ({ id: `m${index}`, role: "u" })),
    );
    await store.addMessage("s", say("three"));
  });

describe.each(Object.entries({ plain, traces, rotated, parted }))("a damaged journal (%s)", (_name, make) => {
  let whole: Sample;
  let bytes: Buffer;

  beforeAll(async () => {
    whole = await make();
    bytes = Buffer.concat(whole.lines);
  });

  /** The exact state, or a refusal; where the last line end is gone, the state before that line. */
  function expectHonest(read: Result, tornTail: boolean, where: string): void {
    if (read === "corrupted") return;
    expect(read, where).toEqual(tornTail ? whole.states.at(-2) : whole.states.at(-1));
  }

  test.each([
    ["a flipped bit", (byte: number) => byte ^ 1],
    ["a zero", () => 0],
  ])("with %s at any byte is read exactly or refused", async (_how, spoil) => {
    let refused = 0;
    for (let index = 0; index < bytes.length; index += whole.stride) {
      const spoilt = Buffer.from(bytes);
      spoilt[index] = spoil(bytes[index] ?? 0);
      const read = await readAs(whole, spoilt);
      if (read === "corrupted") refused++;
      expectHonest(read, index === bytes.length - 1, `byte ${index}`);
    }
    expect(refused * whole.stride, "nearly every byte matters").toBeGreaterThan(bytes.length * 0.75);
  });

  test("that is cut anywhere has the state after its last whole line", async () => {
    let end = 0;
    for (const [index, line] of whole.lines.entries()) {
      for (let length = end + 1; length < end + line.length; length += whole.stride * CUT_STRIDE) {
        const read = await readAs(whole, bytes.subarray(0, length));
        expect(read, `${length} bytes`).toEqual(index === 0 ? "corrupted" : whole.states[index - 1]);
      }
      end += line.length;
    }
  });

  test("with a line dropped, doubled or swapped is read exactly or refused", async () => {
    const { lines, states } = whole;
    const last = lines.length - 1;
    for (const [index, line] of lines.entries()) {
      const dropped = await readAs(whole, Buffer.concat(lines.toSpliced(index, 1)));
      expectHonest(dropped, index === last, `without line ${index}`);
      expectHonest(
        await readAs(whole, Buffer.concat(lines.toSpliced(index, 0, line))),
        false,
        `line ${index} twice`,
      );
      if (index === last) continue;
      const swapped = lines.toSpliced(index, 2, ...lines.slice(index, index + 2).reverse());
      expectHonest(await readAs(whole, Buffer.concat(swapped)), false, `line ${index} and the next`);
    }
    expect(states.at(-1)).not.toEqual(states[0]);
  });

  test("is reported by verify with a byte offset", async () => {
    const spoilt = Buffer.from(bytes);
    const middle = (whole.lines[0]?.length ?? 0) + 30;
    spoilt[middle] = (spoilt[middle] ?? 0) ^ 1;
    await writeFile(whole.path, spoilt);
    await using store = await openJsonFileStore({ root: whole.root });
    const { ok, findings } = await store.verify("s");
    expect(ok).toBe(false);
    const harmful = findings.filter(({ severity }) => severity === "harmful");
    expect(harmful[0]?.location).toBe(`${whole.path} at byte ${whole.lines[0]?.length}`);
  });
});

describe("after a crash", () => {
  test("the next append closes a torn line and damages no other", async () => {
    const { root, path, lines } = await plain();
    await writeFile(path, Buffer.concat(lines).subarray(0, -9));
    await using store = await openJsonFileStore({ root });
    await store.addMessage("s", say("after the crash"));
    await using other = await openJsonFileStore({ root });
    const contents = (await other.getChatHistory("s")).map((message) => message.content);
    expect(contents).toEqual(["one", "two and a space", "after the crash"]);
    const { ok, findings } = await other.verify("s");
    expect(ok).toBe(true);
    expect(findings).toMatchObject([
      { severity: "benign", location: expect.stringMatching(/ at byte \d+$/) },
    ]);
  });

  test("traces of crashes and of late writers do no harm, and verify lists them", async () => {
    const { root, path, lines } = await traces();
    await writeFile(path, Buffer.concat(lines));
    await using store = await openJsonFileStore({ root });
    expect((await store.getChatHistory("s")).map(({ content }) => content)).toEqual([
      "one",
      "two",
      "three",
      "four",
    ]);
    const { ok, findings } = await store.verify("s");
    expect(ok).toBe(true);
    expect(findings).toHaveLength(3);
  });
});
