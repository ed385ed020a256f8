import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";

const PROGRAM = `
import { Connection, startFaultProxy, startServer } from "redis-servers";
const server = await startServer();
const proxy = await startFaultProxy(server.port);
for (let round = 0; round < 30; round++) {
  for (const on of ["request", "reply"])
    for (const act of ["tear", "cut"]) proxy.plan({ on, act, when: ({ command }) => command[0] === "SET" });
  const clients = await Promise.all(Array.from({ length: 6 }, () => Connection.open(proxy)));
  const calls = Promise.allSettled(clients.map((client) => client.call("SET", "k", "x".repeat(1000))));
  if (round % 3 === 0) setImmediate(() => proxy.cutAll());
  if (round % 3 === 1) clients[5][Symbol.dispose]();
  if (round % 10 === 9) { await server.kill(); await server.restart(); }
  await calls;
  for (const client of clients) client[Symbol.dispose]();
  proxy.calm();
}
await proxy.stop();
await server.stop();
await new Promise((resolve) => setImmediate(resolve));
const left = process.getActiveResourcesInfo().filter((name) => name.startsWith("TCP"));
process.on("exit", () => console.log("ended by itself, " + left.length + " sockets left"));
`;

test("a process whose proxy has torn and cut connections in every way ends by itself", async () => {
  const child = spawn(process.execPath, ["--input-type=module", "-e", PROGRAM], {
    cwd: import.meta.dirname,
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let printed = "";
  child.stdout.on("data", (chunk) => {
    printed += chunk;
  });
  const [code] = await once(child, "close");
  expect(printed).toBe("ended by itself, 0 sockets left\n");
  expect(code).toBe(0);
});
