import { expect, test } from "vitest";
import { storePackages } from "../bootstrap/store-packages.mjs";
import { root } from "../root.mjs";

const protocol = "@sessions/protocol";

test.each([
  [[], {}, []],
  [[], { SESSIONS_STORE: "" }, []],
  [[], { SESSIONS_STORE: "sqlite:./a.db" }, ["@sessions/sqlite", protocol, "@sessions/row-engine"]],
  [["--store", "memory:"], { SESSIONS_STORE: "sqlite:./a.db" }, ["@sessions/memory", protocol]],
  [["--store=file:./a"], {}, ["@sessions/json-file", protocol]],
  [["--store"], {}, []],
  [["--store", "nonsense"], {}, []],
])("with %j and %j, these are needed: %j", (args, env, expected) => {
  expect(storePackages(args, env, root)).toEqual(expected);
});
