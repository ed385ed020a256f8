import { describe, expect, test } from "vitest";
import { SessionError } from "../../src/index.js";

describe("SessionError", () => {
  test("carries its code, fields, session and cause", () => {
    const cause = new Error("below");
    const error = SessionError.of("REVISION_CONFLICT", "too late", {
      expected: 1,
      actual: 2,
      sessionId: "s",
      cause,
    });
    expect(error).toMatchObject({
      code: "REVISION_CONFLICT",
      expected: 1,
      actual: 2,
      sessionId: "s",
      cause,
      retryable: true,
    });
    expect(error).toBeInstanceOf(Error);
  });

  test("is recognized by its code, not by its class", () => {
    const error: unknown = SessionError.of("SESSION_NOT_FOUND", "none", {});
    expect(SessionError.is(error)).toBe(true);
    expect(SessionError.is(error, "SESSION_NOT_FOUND", "SESSION_EXISTS")).toBe(true);
    expect(SessionError.is(error, "SESSION_EXISTS")).toBe(false);
    expect(SessionError.is(Object.assign(new Error("x"), { code: "SESSION_NOT_FOUND" }))).toBe(false);
    for (const other of [undefined, null, "SESSION_NOT_FOUND", { code: "SESSION_NOT_FOUND" }])
      expect(SessionError.is(other)).toBe(false);
  });

  test("is recognized across copies of the package", () => {
    const brand = Symbol.for("@sessions/protocol/SessionError");
    const fromAnotherCopy = Object.defineProperty(
      Object.assign(new Error("x"), { code: "STORE_BUSY" }),
      brand,
      { value: true },
    );
    expect(SessionError.is(fromAnotherCopy, "STORE_BUSY")).toBe(true);
  });

  test("is a plain object in a log", () => {
    const error = SessionError.of("TOO_LARGE", "too large", { path: "messages[0]", bytes: 9, limit: 8 });
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({
      code: "TOO_LARGE",
      message: "too large",
      path: "messages[0]",
      limit: 8,
    });
  });
});
