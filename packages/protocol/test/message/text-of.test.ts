import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textOf } from "../../src/message/text/text-of.js";
import { holds } from "./assert-property.js";
import { anyInput } from "./conversations.js";
import { allShapes } from "./shapes/all-shapes.js";

describe("textOf", () => {
  it.each(allShapes)("reads the text of: $shape", ({ message, text }) => {
    expect(textOf(message)).toBe(text);
  });

  it("separates the words of adjacent parts", () => {
    const content = [
      { type: "text", text: "yes" },
      { type: "text", text: "no" },
    ];
    expect(textOf({ role: "user", content })).toBe("yes\nno");
  });

  it("returns a string and does not throw, for any JSON", () => {
    holds(fc.property(anyInput(), (message) => typeof textOf(message) === "string"));
  });
});
