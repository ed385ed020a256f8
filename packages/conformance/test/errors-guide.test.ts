import { readFileSync } from "node:fs";
import { ERROR_ADVICE, type ErrorCode, SessionError } from "@sessions/protocol";
import { describe, expect, test } from "vitest";
import { refusals } from "../src/samples/refusals.js";
import { sections } from "../src/sections/index.js";

const guide = readFileSync(new URL("../../../docs/guide/errors.md", import.meta.url), "utf8");

interface Row {
  readonly changed: string;
  readonly retry: string;
  readonly withWhat: string;
}

/** The guide's table by code. */
const rows = new Map<string, Row>(
  guide
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .filter((cells) => /^[A-Z_]{5,}$/.test(cells[1] ?? ""))
    .map(([, code = "", , changed = "", retry = "", withWhat = ""]) => [code, { changed, retry, withWhat }]),
);

const codes = Object.keys(ERROR_ADVICE).filter((code): code is ErrorCode => code in ERROR_ADVICE);

/** The section that shows that nothing has changed after a code. A missing code is a type error. */
const shownBy: Readonly<Record<ErrorCode, string>> = {
  INVALID_ARGUMENT: "all or nothing",
  TOO_LARGE: "all or nothing",
  SESSION_NOT_FOUND: "all or nothing",
  SESSION_EXISTS: "all or nothing",
  MESSAGE_NOT_FOUND: "all or nothing",
  SNAPSHOT_NOT_FOUND: "all or nothing",
  ARCHIVE_NOT_FOUND: "all or nothing",
  MESSAGE_ID_TAKEN: "all or nothing",
  COMMIT_ID_REUSED: "all or nothing",
  REVISION_CONFLICT: "all or nothing",
  TURN_BUSY: "all or nothing",
  TURN_LOST: "all or nothing",
  STORE_CLOSED: "closed",
  SESSION_CORRUPTED: "corruption",
  FORMAT_UNSUPPORTED: "schema",
  STORE_UNAVAILABLE: "unreachable",
  // The kit cannot make an engine busy or full, so the stores' own tests show it.
  STORE_BUSY: "a store's own tests",
  STORE_FULL: "a store's own tests",
  SCHEMA_MISMATCH: "a read, which changes nothing",
  OUTCOME_UNKNOWN: "something may have changed",
  DATA_LOST: "something may have changed",
};

describe("the guide to errors", () => {
  test("has a row for every code and for nothing else", () => {
    expect([...rows.keys()].toSorted()).toEqual(codes.toSorted());
  });

  test.each(codes)("says of %s whether something has changed and whether it is retryable", (code) => {
    const { changed, retry } = ERROR_ADVICE[code];
    const fields = { expected: 1, actual: 2, commitId: "c", messageId: "m", snapshot: "s", archiveId: "a" };
    const { retryable } = SessionError.of(code, "a message for people", fields);
    expect(rows.get(code)).toMatchObject({ changed, retry: retryable ? "yes" : "no" });
    expect(retryable).toBe(retry !== "never");
  });

  test.each(codes)("says of %s which call to retry", (code) => {
    const withWhat = rows.get(code)?.withWhat ?? "";
    const { retry } = ERROR_ADVICE[code];
    if (retry === "same-call") expect(withWhat).toMatch(/^the same call/);
    if (retry === "same-commit-id") expect(withWhat).toContain("the same call with this `commitId`");
    if (retry === "new-call") expect(withWhat).toContain("read again");
    if (retry === "never") expect(withWhat).not.toContain("same call");
  });
});

describe("that nothing has changed after a code", () => {
  const unchanged = codes.filter((code) => ERROR_ADVICE[code].changed === "nothing");

  test("is shown by the kit for the codes of which the guide says it, and for no other", () => {
    const proved = codes.filter((code) => shownBy[code] !== "something may have changed");
    expect(proved).toEqual(unchanged);
    const inAllOrNothing = codes.filter((code) => shownBy[code] === "all or nothing");
    expect(Object.keys(refusals).toSorted()).toEqual(inAllOrNothing.toSorted());
  });

  test("is shown by existing sections, with cases that name the code", () => {
    const elsewhere = ["a store's own tests", "a read, which changes nothing"];
    for (const code of unchanged.filter((one) => !elsewhere.includes(shownBy[one]))) {
      const section = sections.find(({ name }) => name === shownBy[code]);
      expect(section?.cases.length, `${code}: ${shownBy[code]}`).toBeGreaterThan(0);
      if (shownBy[code] === "all or nothing")
        expect(section?.cases.map(({ name }) => name)).toContain(
          `a call that is refused with ${code} changes nothing`,
        );
    }
  });
});
