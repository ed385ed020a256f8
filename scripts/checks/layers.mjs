/**
 * Which layers may import which. `src` is published or run; `dev` is tests and tools.
 *
 * The protocol imports no package. A store imports the protocol and its driver. An integration imports turn-runner and the
 * protocol, and gets its store from the caller. Only config and apps select a store.
 */
const layers = {
  protocol: { folder: /^packages\/protocol$/, src: [], dev: [] },
  rowEngine: {
    folder: /^packages\/row-engine$/,
    src: ["protocol"],
    dev: ["protocol", "conformance"],
  },
  servers: { folder: /^packages\/redis-servers$/, src: [], dev: [] },
  runTools: { folder: /^packages\/run-tools$/, src: [], dev: [] },
  conformance: { folder: /^packages\/conformance$/, src: ["protocol"], dev: ["protocol"] },
  store: {
    folder: /^packages\/stores\/[^/]+$/,
    src: ["protocol", "rowEngine"],
    dev: ["protocol", "rowEngine", "conformance", "servers"],
  },
  testTools: {
    folder: /^packages\/test-tools$/,
    src: ["protocol", "store", "servers", "runTools"],
    dev: ["protocol", "store", "servers", "runTools"],
  },
  turnRunner: {
    folder: /^packages\/turn-runner$/,
    src: ["protocol"],
    dev: ["protocol", "store", "testTools"],
  },
  // Tests may run one integration in another: a runner in a managed agent.
  integration: {
    folder: /^packages\/integrations\/[^/]+$/,
    src: ["protocol", "turnRunner"],
    dev: ["protocol", "turnRunner", "integration", "store", "conformance", "servers", "testTools"],
  },
  config: {
    folder: /^packages\/config$/,
    src: ["protocol", "store"],
    dev: ["protocol", "store", "conformance", "servers"],
  },
  cli: {
    folder: /^packages\/cli$/,
    src: ["protocol", "config"],
    dev: ["protocol", "config", "store", "servers"],
  },
  app: {
    folder: /^apps\/[^/]+$/,
    src: ["protocol", "store", "integration", "config", "cli"],
    dev: ["protocol", "store", "integration", "config", "cli", "conformance", "servers"],
  },
  peers: { folder: /^benchmarks\/peers$/, src: [], dev: ["servers"] },
  benchmarks: {
    folder: /^benchmarks$/,
    src: ["protocol", "store", "integration", "config", "servers", "peers"],
    dev: ["protocol", "store", "integration", "config", "servers", "peers"],
  },
  chaos: {
    folder: /^chaos$/,
    src: ["protocol", "store", "integration", "conformance", "servers", "runTools"],
    dev: ["protocol", "store", "integration", "conformance", "servers", "runTools"],
  },
  faults: {
    folder: /^faults$/,
    src: ["protocol", "store", "runTools"],
    dev: ["protocol", "store", "runTools"],
  },
  docs: {
    folder: /^docs$/,
    src: [],
    dev: ["protocol", "turnRunner", "store", "integration", "config", "cli", "conformance", "servers"],
  },
};

/** The layer of a workspace folder. Throws for a folder without a layer, because it would have no rules. */
export function layerOf(folder) {
  const name = Object.keys(layers).find((candidate) => layers[candidate].folder.test(folder));
  if (name === undefined)
    throw new Error(`${folder}: no layer has this folder. Give it one in scripts/checks/layers.mjs.`);
  return name;
}

export const mayImport = (layer, part, target) => layers[layer][part].includes(target);

/** Layers that import no package at all, not even Node's own. */
export const standsAlone = (layer) => layer === "protocol";

/**
 * The folders of a package's `src`, the lowest first. A folder imports only those before it; folders in one list import each
 * other. Files beside the folders import everything, and a folder imports only those of them that are `shared`. `except` lists
 * the single exceptions, as "from → to".
 */
const folderOrders = {
  "packages/protocol": {
    order: [
      ...["platform", "errors", "encoding", "json", "hash", "persistent", "message", "arguments", "ids"],
      ...["session", "operations", "backend", "feed", "state", "api", "validate", "leases", "queue"],
      ...["context", "commit", "reading", "methods", "turns", "store", "typed"],
    ],
    shared: [],
    except: [],
  },
  "packages/row-engine": {
    order: ["runs", ["history", "memory", "session"], "cache", "staging", "plan"],
    shared: ["read-required"],
    except: [],
  },
  "packages/stores/sqlite": {
    order: ["engine", "session", "listing", "feed", "search", "commit", "upkeep"],
    shared: ["error-mapping", "options"],
    except: [
      "engine/tables/labels-table → session/storable-text",
      "commit/commit-requests → upkeep/warnings",
      "upkeep/describe-store → sqlite-context",
      "upkeep/open-existing → open-backend",
      "upkeep/open-existing → sqlite-backend",
    ],
  },
};

/** The order of the folders in a package's `src`; `undefined` for a package that has none yet. */
export const folderOrderOf = (folder) => folderOrders[folder];
