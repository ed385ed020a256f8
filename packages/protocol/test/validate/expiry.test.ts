import { expect, test } from "vitest";
import { requireExpiry } from "../../src/validate/expiry.js";

test.each(["30m", "1800000", -1, 0, 1.5, {}])(
  "an expiresIn of %j is refused: it wants milliseconds",
  (expiresIn) => {
    expect(() => requireExpiry({ expiresIn }, "init")).toThrow(
      /^init\.expiresIn must be a number of milliseconds, a whole one of at least 1, not /,
    );
  },
);

test("expiresIn accepts milliseconds, and null removes the expiry", () => {
  expect(requireExpiry({ expiresIn: 1_800_000 }, "init")).toEqual({ expiresIn: 1_800_000 });
  expect(requireExpiry({ expiresIn: null }, "init")).toEqual({ expiresIn: null });
});
