import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { startCluster, startServer } from "redis-servers";
import { expect, test } from "vitest";
import type { RedisLocation } from "../../src/options.js";

const PROGRAM = fileURLToPath(new URL("./forgetful-process.mjs", import.meta.url));

interface Forgetful extends Disposable {
  readonly process: ChildProcessWithoutNullStreams;
  /** All that it has printed, with its exit code at the end. */
  readonly ended: Promise<string>;
  /** Resolves when it has printed a text. */
  readonly printed: (text: string) => Promise<void>;
}

function forgetful(location: RedisLocation, last: string): Forgetful {
  const process = spawn("node", [PROGRAM, JSON.stringify(location), last]);
  let output = "";
  for (const stream of [process.stdout, process.stderr])
    stream.on("data", (data: Buffer) => {
      output += data.toString();
    });
  return {
    process,
    ended: once(process, "exit").then(([code]) => `${output}exit ${code}`),
    printed: (text) => expect.poll(() => output, { timeout: 20_000 }).toContain(text),
    [Symbol.dispose]: () => void process.kill("SIGKILL"),
  };
}

test("a process that forgets to close its store ends when nothing is under way", async () => {
  await using server = await startServer();
  for (const last of ["nothing", "left a watch"]) {
    using one = forgetful({ url: server.url }, last);
    expect(await one.ended).toMatch(/exit 0$/);
  }
});

test("the same on a Cluster, with its connections to every node", async () => {
  await using cluster = await startCluster();
  const nodes = cluster.ports.map((port) => ({ host: "127.0.0.1", port }));
  for (const last of ["nothing", "left a watch"]) {
    using one = forgetful({ cluster: nodes }, last);
    expect(await one.ended).toMatch(/exit 0$/);
  }
});

test("a call that is under way keeps the process alive until it has its answer", async () => {
  await using server = await startServer();
  using one = forgetful({ url: server.url }, "begins a call");
  await one.printed("calls");
  expect(await one.ended).toMatch(/done\nexit 0$/);
});

test("a watcher keeps the process alive", async () => {
  await using server = await startServer();
  using one = forgetful({ url: server.url }, "watches");
  await one.printed("revision 1");
  // Longer than polls and idle connections last: only the watcher is left.
  await new Promise((resolve) => setTimeout(resolve, 2500));
  expect(one.process.exitCode).toBe(null);
});

test("a server that goes away while nothing is under way does not keep the process alive", async () => {
  await using server = await startServer();
  using one = forgetful({ url: server.url }, "loses its server");
  await one.printed("idle");
  await server.kill();
  one.process.stdin.write("end\n");
  expect(await one.ended).toMatch(/exit 0$/);
});
