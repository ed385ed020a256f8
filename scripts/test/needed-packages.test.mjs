import { expect, test } from "vitest";
import { neededPackages } from "../bootstrap/needed-packages.mjs";
import { root } from "../root.mjs";
import { plant } from "./plant.mjs";

const workspace = (manifests) =>
  plant({
    "pnpm-workspace.yaml": `packages:\n${Object.keys(manifests)
      .map((name) => `  - ${name}\n`)
      .join("")}`,
    ...Object.fromEntries(
      Object.entries(manifests).map(([name, manifest]) => [`${name}/package.json`, { name, ...manifest }]),
    ),
  });

test("dependencies are followed, and devDependencies are not", () => {
  const top = workspace({
    app: { dependencies: { agent: "*", elsewhere: "*" }, devDependencies: { kit: "*" } },
    agent: { dependencies: { protocol: "*" }, devDependencies: { slow: "*" } },
    protocol: {},
    kit: {},
    slow: {},
  });
  expect(neededPackages("app", top)).toEqual(["app", "agent", "protocol"]);
});

test("packages that depend on each other end the search", () => {
  const top = workspace({ a: { dependencies: { b: "*" } }, b: { dependencies: { a: "*" } } });
  expect(neededPackages("a", top)).toEqual(["a", "b"]);
});

test("the chat depends on its own store and on no other, nor on the test kit", () => {
  expect(neededPackages("chat", root).sort()).toEqual([
    "@sessions/config",
    "@sessions/json-file",
    "@sessions/managed-agent",
    "@sessions/openai-compatible",
    "@sessions/protocol",
    "@sessions/turn-runner",
    "chat",
  ]);
});
