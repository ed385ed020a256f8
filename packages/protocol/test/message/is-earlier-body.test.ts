import { describe, expect, it } from "vitest";
import { isEarlierBody } from "../../src/message/is-earlier-body.js";
import type { Message } from "../../src/message/message.js";
import type { ExtendOperation } from "../../src/operations/operation.js";
import { extendedMessage } from "../../src/state/apply/extend.js";

const message = (fields: object): Message => ({ id: "d", role: "assistant", createdAt: 0, ...fields });
const text = { type: "text", text: "o" };
const file = { type: "file", data: "x", mediaType: "text/plain" };

const BODIES = [
  {},
  { content: "" },
  { content: "o" },
  { content: [text] },
  { content: [text, file] },
  { parts: [text] },
];
const GROWTHS: readonly Partial<ExtendOperation>[] = [
  { text: "k" },
  { reasoning: "hm" },
  { parts: [file] },
  { reasoning: "hm", text: "k", parts: [file] },
];

describe("isEarlierBody", () => {
  for (const body of BODIES)
    for (const growth of GROWTHS)
      it(`knows ${JSON.stringify(body)} in what it grew to by ${JSON.stringify(growth)}`, () => {
        const before = message(body);
        const after = extendedMessage(
          before,
          { op: "extend", messageId: "d", ...growth },
          { sessionId: "s" },
        );
        expect(isEarlierBody(before, after)).toBe(true);
        expect(isEarlierBody(after, before)).toBe(false);
      });

  it.each([
    [{ content: "ok" }, { content: "ok" }],
    [{ content: "ok" }, { content: "o, edited" }],
    [{ content: [file] }, { content: [text, file] }],
    [{ content: [{ type: "reasoning", text: "o" }] }, { content: [{ type: "text", text: "ok" }] }],
    [{ content: "ok" }, {}],
    [{ parts: { no: "array" } }, { parts: [text] }],
  ])("does not take %j for the beginning of %j", (before, after) => {
    expect(isEarlierBody(before, after)).toBe(false);
  });
});
