import { expect, test } from "vitest";
import { machineLeaseClock } from "../../src/backend.js";

const now = (): number => 5;

function failing(code: string): () => never {
  return () => {
    throw Object.assign(new Error(code), { code });
  };
}

test("processes of one boot and one time namespace are in one time domain", () => {
  const clock = machineLeaseClock({ readFile: () => "4711\n", readLink: () => "time:[1]", now });
  expect(clock?.domain).toBe("boot:4711:time:[1]");
  expect(clock?.now()).toBe(5);
});

test.each(["ENOENT", "EACCES", "EPERM"])(
  "a machine that does not show its boot (%s) has no clock",
  (code) => {
    expect(machineLeaseClock({ readFile: failing(code), readLink: () => "time:[1]", now })).toBeUndefined();
  },
);

test("a kernel without time namespaces has one time domain per boot", () => {
  expect(machineLeaseClock({ readFile: () => "4711", readLink: failing("ENOENT"), now })?.domain).toBe(
    "boot:4711:",
  );
});

test("any other failure is thrown: it does not say that there is no such file", () => {
  expect(() => machineLeaseClock({ readFile: failing("EIO"), readLink: () => "", now })).toThrow("EIO");
});
