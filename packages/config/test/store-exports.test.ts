import * as jsonFile from "@sessions/json-file";
import * as memory from "@sessions/memory";
import * as protocol from "@sessions/protocol";
import * as redis from "@sessions/redis";
import * as sqlite from "@sessions/sqlite";
import { expect, test } from "vitest";

test.each(Object.entries({ jsonFile, memory, redis, sqlite }))(
  "the package %s exports everything that the protocol exports",
  (_name, store) => {
    const missing = Object.entries(protocol).filter(([name, value]) => Reflect.get(store, name) !== value);
    expect(missing.map(([name]) => name)).toEqual([]);
    expect(store.sessionKey("ann:x", "1")).toBe(protocol.sessionKey("ann:x", "1"));
  },
);
