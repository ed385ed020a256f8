import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import vm from "node:vm";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";

const source = fileURLToPath(new URL("../../src", import.meta.url));

/** The globals of every browser, worker and edge runtime. None is specific to Node. */
function webGlobals(): Record<string, unknown> {
  return {
    AbortController,
    AbortSignal,
    TextDecoder,
    TextEncoder,
    clearTimeout,
    crypto: globalThis.crypto,
    performance: globalThis.performance,
    queueMicrotask,
    setTimeout: (callback: () => void, ms: number) => Number(setTimeout(callback, ms)),
  };
}

// A minimal backend, so that a whole request runs inside the bundle.
const program = `
import { applyCommit, createStore, documentOf, readState } from "./backend.js";
const states = new Map();
const live = (id) => (states.get(id)?.status === "live" ? states.get(id) : undefined);
const store = createStore({
  capabilities: { groupCommit: "session", durable: { supported: true }, multiProcess: { supported: true }, search: { supported: false, reason: "none" } },
  commit: async (requests) => requests.map((request) => {
    const { outcome, state } = applyCommit(states.get(request.sessionId), request);
    if (state !== undefined) states.set(request.sessionId, state);
    return outcome;
  }),
  read: async (id, select) => (live(id) ? readState(id, live(id), select) : undefined),
  document: async (id) => (live(id) ? documentOf(live(id)) : undefined),
  list: async () => ({ items: [] }),
  watch: async function* () {},
  verify: async () => undefined,
  describe: async () => { throw new Error("not asked"); },
  close: async () => {},
});
globalThis.result = store.runTurn("s", { messages: { role: "user", content: "hi" } }, async (turn) => {
  await turn.append({ role: "assistant", content: "hello" });
}).then(() => store.getChatHistory("s")).then((messages) => messages.map((message) => message.content));
`;

describe("the protocol on the edge", () => {
  for (const [name, platform, conditions] of [
    ["a browser", "browser", ["browser"]],
    ["a worker", "neutral", ["worker", "workerd", "edge-light"]],
  ] as const) {
    test(`bundles for ${name} and runs a turn with web globals only`, async () => {
      const { outputFiles, metafile } = await build({
        stdin: { contents: program, resolveDir: source, loader: "js" },
        bundle: true,
        write: false,
        metafile: true,
        format: "iife",
        platform,
        conditions: [...conditions],
        target: "es2023",
      });
      const outside = Object.values(metafile.inputs).flatMap((input) =>
        input.imports.filter((one) => one.external === true),
      );
      expect(outside).toEqual([]);
      const context = vm.createContext(webGlobals());
      vm.runInContext(outputFiles[0]?.text ?? "", context);
      expect(await vm.runInContext("globalThis.result", context)).toEqual(["hi", "hello"]);
    });
  }

  test("every source file imports only files of the package", () => {
    const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".ts"),
    );
    expect(files.length).toBeGreaterThan(50);
    const foreign = files.flatMap((file) => {
      const imports = readFileSync(`${source}/${file}`, "utf8").matchAll(/from "([^"]+)"/g);
      return [...imports].map(([, name]) => name).filter((name) => name?.startsWith(".") !== true);
    });
    expect(foreign).toEqual([]);
  });
});
