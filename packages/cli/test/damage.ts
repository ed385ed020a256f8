import { appendFile, cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** How many messages the session has that is damaged, each in a commit and a line of its own. */
export const MESSAGES = 6;

/** A way to damage a journal, and which messages stand in lines that are still whole. */
export interface Damage {
  readonly name: string;
  /** Numbers of the messages that must be saved; none where not even the journal's first line can be trusted. */
  readonly saved: readonly number[];
  plant(folder: string): Promise<void>;
}

const ALL = [1, 2, 3, 4, 5, 6];
const without = (...lost: readonly number[]): readonly number[] => ALL.filter((n) => !lost.includes(n));

/** Line 0 is the header; line n holds message n. */
const lines = (change: (lines: Buffer[]) => readonly Buffer[]) => async (folder: string) => {
  const file = join(folder, "1.jsonl");
  const text = (await readFile(file)).toString("latin1");
  const each = text
    .split("\n")
    .slice(0, -1)
    .map((line) => Buffer.from(`${line}\n`, "latin1"));
  await writeFile(file, Buffer.concat(change(each)));
};

const line = (n: number, change: (line: Buffer) => Buffer) =>
  lines((all) => all.map((each, at) => (at === n ? change(each) : each)));

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}

const replaced =
  (from: string, to: string) =>
  (bytes: Buffer): Buffer =>
    Buffer.from(bytes.toString("latin1").replace(from, to), "latin1");

const journal = (folder: string): string => join(folder, "1.jsonl");

/** Every way that was thought of to damage a journal. None of them is what a crash leaves. */
export const damages: readonly Damage[] = [
  { name: "a bit flipped in the middle", saved: without(3), plant: line(3, (each) => flipped(each, 40)) },
  {
    name: "a bit flipped in the first commit",
    saved: without(1),
    plant: line(1, (each) => flipped(each, 40)),
  },
  {
    name: "a bit flipped in the last commit",
    saved: without(6),
    plant: line(6, (each) => flipped(each, 40)),
  },
  { name: "a text edited by hand", saved: without(3), plant: line(3, replaced("message 3", "massage 3")) },
  { name: "a revision edited by hand", saved: without(4), plant: line(4, replaced('"r":4', '"r":9')) },
  { name: "a time edited by hand", saved: without(4), plant: line(4, replaced('"t":1', '"t":2')) },
  { name: "a line removed", saved: without(3), plant: lines((all) => all.toSpliced(3, 1)) },
  { name: "two lines removed", saved: without(3, 4), plant: lines((all) => all.toSpliced(3, 2)) },
  {
    name: "two lines swapped",
    saved: ALL,
    plant: lines((all) => all.toSpliced(3, 2, ...all.slice(3, 5).reverse())),
  },
  {
    name: "a line of text put in",
    saved: ALL,
    plant: lines((all) => all.toSpliced(3, 0, Buffer.from("hello\n"))),
  },
  {
    name: "a line of JSON put in",
    saved: ALL,
    plant: lines((all) => all.toSpliced(3, 0, Buffer.from('{"a":1}\n'))),
  },
  {
    name: "a line overwritten with text",
    saved: without(3),
    plant: line(3, () => Buffer.from("who was here?\n")),
  },
  {
    name: "a line overwritten with bytes",
    saved: without(3),
    plant: line(3, () => Buffer.from([0xff, 0xfe, 0x80, 10])),
  },
  {
    name: "half a line overwritten with zeros",
    saved: without(3),
    plant: line(3, (each) =>
      Buffer.concat([each.subarray(0, 30), Buffer.alloc(each.length - 31), Buffer.from("\n")]),
    ),
  },
  {
    name: "a line cut short",
    saved: without(3),
    plant: line(3, (each) => Buffer.concat([each.subarray(0, 50), Buffer.from("\n")])),
  },
  { name: "two lines run together", saved: ALL, plant: line(3, (each) => each.subarray(0, -1)) },
  {
    name: "a space at the end of a line",
    saved: without(3),
    plant: line(3, (each) => Buffer.concat([each.subarray(0, -1), Buffer.from(" \n")])),
  },
  {
    name: "line ends made those of Windows",
    saved: [],
    plant: lines((all) => all.map((each) => Buffer.concat([each.subarray(0, -1), Buffer.from("\r\n")]))),
  },
  {
    name: "a byte order mark put in front",
    saved: ALL,
    plant: line(0, (each) => Buffer.concat([Buffer.from("\ufeff"), each])),
  },
  { name: "the first line damaged", saved: ALL, plant: line(0, (each) => flipped(each, 20)) },
  { name: "the first line removed", saved: [], plant: lines((all) => all.slice(1)) },
  { name: "the file emptied", saved: [], plant: (folder) => writeFile(journal(folder), "") },
  {
    name: "the file overwritten with text",
    saved: [],
    plant: (folder) => writeFile(journal(folder), "notes\n".repeat(50)),
  },
  {
    name: "another session's journal copied here",
    saved: [],
    plant: (folder) => cp(join(folder, "../bystander/1.jsonl"), journal(folder)),
  },
];

/** What crashes and paused processes leave: benign, and nothing to repair. */
export const traces: readonly Damage[] = [
  {
    name: "a torn last line",
    saved: without(6),
    plant: lines((all) => [...all.slice(0, 6), (all[6] ?? Buffer.alloc(0)).subarray(0, 40)]),
  },
  {
    name: "the beginning of a line",
    saved: ALL,
    plant: (folder) => appendFile(journal(folder), '{"o":12,"p":"torn in the mid'),
  },
  { name: "zeros at the end", saved: ALL, plant: (folder) => appendFile(journal(folder), Buffer.alloc(64)) },
  {
    name: "a torn line that was closed",
    saved: ALL,
    plant: (folder) => appendFile(journal(folder), '{"o":12,"p":"torn#torn\n'),
  },
  {
    name: "a segment that never came to be",
    saved: ALL,
    plant: (folder) => writeFile(join(folder, "2.0123456789abcdef.candidate"), "{"),
  },
];

/** A journal that is gone as a whole: nobody can save anything, and nobody may make it worse. */
export const gone: Damage = { name: "the file removed", saved: [], plant: (folder) => rm(journal(folder)) };
