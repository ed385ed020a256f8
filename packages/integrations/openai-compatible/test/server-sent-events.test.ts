import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { serverSentEvents } from "../src/endpoint/server-sent-events.js";

async function* inPieces(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  for (const [index, place] of places.entries()) {
    if (index > 0) yield bytes.subarray(places[index - 1], place);
  }
}

async function read(text: string, cuts: readonly number[] = []): Promise<readonly string[]> {
  const data: string[] = [];
  for await (const one of serverSentEvents(inPieces(new TextEncoder().encode(text), cuts))) data.push(one);
  return data;
}

const lineEnd = fc.constantFrom("\n", "\r\n", "\r");
// Of everything that takes two, three and four bytes in UTF-8, and of what looks like the format itself.
const dataLine = fc.string({
  unit: fc.constantFrom("a", " ", ":", "{", "data: ", "é", "€", "😀", "\u2028", "\ufeff"),
  maxLength: 12,
});
const event = fc.record({
  lines: fc.array(dataLine, { minLength: 1, maxLength: 3 }),
  space: fc.constantFrom(" ", ""),
  before: fc.subarray([": a comment", "event: chunk", "id: 7", "retry: 10", "nonsense", ":", "database: x"]),
});

describe("server-sent events", () => {
  test("events are the same wherever the bytes are cut, with any line ends", async () => {
    const cuts = fc.array(fc.nat(), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 6 }), lineEnd, cuts, async (events, end, places) => {
        const text = events
          .flatMap(({ lines, space, before }) => [
            ...before,
            // The one space after the colon is dropped; a second one is data.
            ...lines.map((line) => `data:${line.startsWith(" ") ? " " : space}${line}`),
            "",
          ])
          .map((line) => `${line}${end}`)
          .join("");
        expect(await read(text, places)).toEqual(events.map(({ lines }) => lines.join("\n")));
      }),
      { numRuns: 300 },
    );
  });

  test("events may come byte by byte", async () => {
    const text = '\ufeffdata: {"a":"😀"}\r\n\r\ndata: one\rdata: two\r\rdata: [DONE]\n\n';
    const everywhere = [...new TextEncoder().encode(text).keys()];
    expect(await read(text, everywhere)).toEqual(['{"a":"😀"}', "one\ntwo", "[DONE]"]);
  });

  test("an unfinished event at the end is dropped", async () => {
    expect(await read('data: {"a":1}\n\ndata: {"b":')).toEqual(['{"a":1}']);
    expect(await read('data: {"a":1}\n\ndata: {"b":2}\n')).toEqual(['{"a":1}']);
  });

  test("an event without data is dropped, and one with empty data is not", async () => {
    expect(await read("event: ping\n\n: comment\n\ndata\n\ndata:\n\n")).toEqual(["", ""]);
  });

  test("the cost of a long line in many pieces is linear in its length", async () => {
    const line = "x".repeat(4_000_000);
    const cuts = Array.from({ length: 4000 }, (_, index) => index * 1000);
    expect((await read(`data: ${line}\n\n`, cuts)).join("").length).toBe(line.length);
  });
});
