import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeCursor, encodeCursor } from "../../src/ids/cursor.js";
import { json } from "../json/arbitrary-json.js";
import { invalidArgument } from "../json/invalid-argument.js";

function refused(cursor: string): void {
  const error = invalidArgument(() => decodeCursor(cursor, "options.cursor"));
  expect(error.path).toBe("options.cursor");
  expect(error.message).toMatch(/^options\.cursor is not a cursor: pass the cursor of an earlier result/);
}

describe("a cursor", () => {
  it("decodes to the value that it was made from", () => {
    fc.assert(
      fc.property(json(), (value) => {
        expect(JSON.stringify(decodeCursor(encodeCursor(value), "cursor"))).toBe(JSON.stringify(value));
      }),
    );
  });

  it("fits into a URL as it is", () => {
    fc.assert(
      fc.property(json(), (value) => {
        expect(encodeCursor(value)).toMatch(/^[A-Za-z0-9_-]+$/);
      }),
    );
  });

  it.each([
    ["empty", ""],
    ["no base64", "!!!!"],
    ["padded", `${encodeCursor([1])}=`],
    ["spaced", ` ${encodeCursor([1])}`],
    ["cut", encodeCursor({ after: "session 1" }).slice(0, -4)],
    ["cut within a byte", encodeCursor(["ab"]).slice(0, 5)],
    ["no JSON", Buffer.from("after=1").toString("base64url")],
    ["no UTF-8", Buffer.from([0x22, 0xff, 0x22]).toString("base64url")],
    ["doubled", encodeCursor([1]) + encodeCursor([1])],
  ])("that is %s is refused", (_, cursor) => {
    refused(cursor);
  });

  it.each([[undefined], [null], [7], [{}], [[...encodeCursor(1)]]])(
    "that is %j and not a string is refused",
    (cursor) => {
      // As from a caller without types.
      Reflect.apply(refused, undefined, [cursor]);
    },
  );

  it("is either refused with INVALID_ARGUMENT or decoded, for any text", () => {
    fc.assert(
      fc.property(fc.base64String(), (text) => {
        try {
          decodeCursor(text, "cursor");
        } catch {
          refused(text);
        }
      }),
    );
  });
});
