import { expect, test } from "vitest";
import { checkAddresses } from "../checks/check-addresses.mjs";
import { plant } from "./plant.mjs";

/** Put together here, or this file would be found itself. */
const path = (...names) => ["", ...names].join("/");
const address = (host, file) => `https:${path("", host, file)}`;
const findingsOf = (text, here = []) => checkAddresses(plant({ "a.txt": `fine\n${text}\n` }), here).findings;

test.each([
  ["a home folder", path("home", "ann", "code")],
  ["a home folder", path("Users", "ann")],
  ["a home folder", ["C:", "Users", "ann"].join("\\")],
  ["a package registry", address("registry.example.org", "left-pad")],
  ["the address of a package", address("example.org", "left-pad-1.0.0.tgz")],
  ["a tarball address in a lockfile", `  resolution: {tarball: ${address("example.org", "x")}}`],
])("a file with %s is reported", (what, text) => {
  expect(findingsOf(text)).toEqual([expect.stringContaining(`a.txt:2: ${what}: `)]);
});

test("a path of this machine is reported", () => {
  const here = [path("builds", "sessions"), path("tmp", "x")];
  expect(findingsOf(`in "${path("builds", "other")}"`, here)).toHaveLength(1);
  expect(findingsOf(`in ${path("tmp", "x")} and ${path("buildspace")} and a${path("builds")}`, here)).toEqual(
    [],
  );
});

test("a relative path, a web page and a path that every machine has are not reported", () => {
  expect(
    findingsOf(`./home/x ${address("example.org", "home/ann")} ${path("var", "lib", "sessions")}`),
  ).toEqual([]);
});
