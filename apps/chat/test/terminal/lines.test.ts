import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { Lines } from "../../src/terminal/lines.js";

test("lines come in order, including early ones and a last one without a line end", async () => {
  const input = new PassThrough();
  const lines = new Lines({ input });
  input.write("one\ntwo\r\n");
  expect(await lines.next("")).toBe("one");
  input.end("\nlast");
  expect([await lines.next(""), await lines.next(""), await lines.next("")]).toEqual(["two", "", "last"]);
  expect(await lines.next("")).toBeUndefined();
});

test("a pending read resolves to undefined when the input ends", async () => {
  const lines = new Lines({ input: new PassThrough() });
  const waiting = lines.next("");
  lines.close();
  expect(await waiting).toBeUndefined();
});

test("after close, lines that were typed ahead are dropped", async () => {
  const input = new PassThrough();
  const lines = new Lines({ input });
  input.write("one\ntwo\n");
  expect(await lines.next("")).toBe("one");
  lines.close();
  expect(await lines.next("")).toBeUndefined();
});
