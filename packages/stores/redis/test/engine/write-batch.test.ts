import { Duplex, Writable } from "node:stream";
import { expect, test, vi } from "vitest";
import { WriteBatch } from "../../src/engine/write-batch.js";
import { sharedServer } from "../servers.js";
import { openedStore } from "../store.js";

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

function write(batch: WriteBatch, stream: Writable, count: number): void {
  for (let n = 0; n < count; n++) {
    batch.join(stream);
    stream.write(`${n}`);
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("what is written in one turn of the event loop goes together, sixteen at most, in its order", async () => {
  const { stream, sent } = network();
  write(new WriteBatch(), stream, 40);
  await turn();
  expect(sent.map(({ length }) => length)).toEqual([16, 16, 8]);
  expect(sent.flat()).toEqual(Array.from({ length: 40 }, (_, n) => `${n}`));
});

test("the next turn begins anew, and nothing stays behind", async () => {
  const { stream, sent } = network();
  const batch = new WriteBatch();
  for (const count of [3, 1, 2]) {
    write(batch, stream, count);
    await turn();
  }
  expect(sent.map(({ length }) => length)).toEqual([3, 1, 2]);
});

test("a connection that is replaced in the middle of a turn takes nothing of the other with it", async () => {
  const [before, after] = [network(), network()];
  const batch = new WriteBatch();
  write(batch, before.stream, 2);
  before.stream.destroy();
  write(batch, after.stream, 2);
  await turn();
  write(batch, after.stream, 1);
  await turn();
  expect(before.sent).toEqual([]);
  expect(after.sent.map(({ length }) => length)).toEqual([2, 1]);
});

test("a store writes what many ask at once together, and sends who is alone at once", async () => {
  await using opened = await openedStore(await sharedServer());
  const { store } = opened;
  const ids = Array.from({ length: 40 }, (_, n) => `s${n}`);
  for (const id of ids) await store.addMessage(id, { role: "user", content: "first" });
  const shared = vi.spyOn(Duplex.prototype, "cork");
  try {
    for (let call = 0; call < 100; call++) await store.addMessage("s0", { role: "user", content: "alone" });
    expect(shared).not.toHaveBeenCalled();
    shared.mockClear();
    await Promise.all(ids.map((id) => store.addMessage(id, { role: "user", content: "with others" })));
    expect(shared).toHaveBeenCalled();
  } finally {
    shared.mockRestore();
  }
  for (const id of ids) expect((await store.getSession(id))?.messages.at(-1)?.content).toBe("with others");
});
