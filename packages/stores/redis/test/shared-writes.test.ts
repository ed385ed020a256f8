import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { SharedWrites } from "../src/shared-writes.js";

/** What goes to the network at once, as a list of what it is made of. */
function network(): { readonly stream: Writable; readonly sent: string[][] } {
  const sent: string[][] = [];
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk, _, done) => {
      sent.push([chunk]);
      done();
    },
    writev: (chunks, done) => {
      sent.push(chunks.map(({ chunk }) => String(chunk)));
      done();
    },
  });
  return { stream, sent };
}

function write(writes: SharedWrites, stream: Writable, count: number): void {
  for (let n = 0; n < count; n++) {
    writes.join(stream);
    stream.write(`${n}`);
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("what is written in one turn of the event loop goes together, sixteen at most, in its order", async () => {
  const { stream, sent } = network();
  write(new SharedWrites(), stream, 40);
  await turn();
  expect(sent.map(({ length }) => length)).toEqual([16, 16, 8]);
  expect(sent.flat()).toEqual(Array.from({ length: 40 }, (_, n) => `${n}`));
});

test("the next turn begins anew, and nothing stays behind", async () => {
  const { stream, sent } = network();
  const writes = new SharedWrites();
  for (const count of [3, 1, 2]) {
    write(writes, stream, count);
    await turn();
  }
  expect(sent.map(({ length }) => length)).toEqual([3, 1, 2]);
});

test("a connection that is replaced in the middle of a turn takes nothing of the other with it", async () => {
  const [before, after] = [network(), network()];
  const writes = new SharedWrites();
  write(writes, before.stream, 2);
  before.stream.destroy();
  write(writes, after.stream, 2);
  await turn();
  write(writes, after.stream, 1);
  await turn();
  expect(before.sent).toEqual([]);
  expect(after.sent.map(({ length }) => length)).toEqual([2, 1]);
});
