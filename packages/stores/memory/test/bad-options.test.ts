import { SessionError } from "@sessions/protocol";
import { expect, test } from "vitest";
import { openMemoryStore } from "../src/open-memory-store.js";

test.each([null, 5, "x", [], new Map(), { dta: {} }, { data: 5 }, { limits: null }, { clock: {} }])(
  "openMemoryStore refuses %o",
  (options) => {
    const open = openMemoryStore as (options: unknown) => unknown;
    expect(() => open(options)).toThrow(SessionError);
    expect(() => open(options)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  },
);
