import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";

const PROGRAM = `
import { ReservedPort } from ${JSON.stringify(new URL("../dist/reserved-port.js", import.meta.url).href)};
const ports = [];
for (let count = 0; count < 400; count++) ports.push((await ReservedPort.take()).number);
console.log(JSON.stringify(ports));
setInterval(() => undefined, 1000);
`;

/** A process that holds many ports. */
async function holder(): Promise<readonly number[]> {
  const child = spawn(process.execPath, ["--input-type=module", "-e", PROGRAM], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let printed = "";
  child.stdout.on("data", (chunk) => {
    printed += chunk;
  });
  while (!printed.includes("\n")) await once(child.stdout, "data");
  return JSON.parse(printed);
}

test("no port is given to two processes that are alive", async () => {
  const ports = (await Promise.all([holder(), holder(), holder()])).flat();
  expect(ports).toHaveLength(1200);
  expect(new Set(ports).size).toBe(1200);
});
