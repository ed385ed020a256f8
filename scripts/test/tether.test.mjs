import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { root } from "../root.mjs";
import { plant } from "./plant.mjs";

const tether = join(root, "scripts/run/tether.mjs");

/** A program that says its process id and lives until it is told to end. */
const sleeper = "console.log(process.pid); setInterval(() => {}, 1000);";

/** Starts a parent that runs `program` on a tether in `folder`, and passes its output on. */
function startParent(folder, program) {
  const args = JSON.stringify([tether, folder, process.execPath, "-e", program]);
  const code = `require("node:child_process").spawn(process.execPath, ${args}, { stdio: ["ignore", "inherit", "inherit", "ipc"], detached: true }).on("message", console.error);`;
  const env = { ...process.env };
  delete env.CHECKOUT_HELD;
  const parent = spawn(process.execPath, ["-e", code], { stdio: ["ignore", "pipe", "pipe"], env });
  onTestFinished(() => parent.kill("SIGKILL"));
  return parent;
}

const firstLine = async (stream) => String((await once(stream, "data"))[0]).split("\n")[0];

async function gone(pid) {
  while (isAlive(pid)) await delay(20);
  return true;
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if (error.code === "ESRCH") return false;
    throw error;
  }
}

test("what runs on a tether ends when its parent is killed without warning", async () => {
  const parent = startParent(plant({}), sleeper);
  const pid = Number(await firstLine(parent.stdout));
  expect(isAlive(pid)).toBe(true);
  parent.kill("SIGKILL");
  expect(await gone(pid)).toBe(true);
});

test("a second command in the same checkout waits for the first, also for one whose parent is dead", async () => {
  const folder = plant({});
  const stopped = join(folder, "stopped");
  const slowToStop = `process.on("SIGTERM", () => setTimeout(() => { require("node:fs").writeFileSync(${JSON.stringify(stopped)}, ""); process.exit(); }, 300)); ${sleeper}`;
  const first = startParent(folder, slowToStop);
  await firstLine(first.stdout);
  const second = startParent(
    folder,
    `console.log(require("node:fs").existsSync(${JSON.stringify(stopped)}))`,
  );
  expect(await firstLine(second.stderr)).toContain("waiting for another run");
  first.kill("SIGKILL");
  expect(await firstLine(second.stdout)).toBe("true");
  expect(existsSync(stopped)).toBe(true);
});

test("the tether passes exit code and signals on", async () => {
  const child = spawn(process.execPath, [tether, plant({}), process.execPath, "-e", "process.exit(7)"]);
  expect(await once(child, "exit")).toEqual([7, null]);
  const other = spawn(process.execPath, [tether, plant({}), process.execPath, "-e", sleeper], {
    detached: true,
  });
  await firstLine(other.stdout);
  other.kill("SIGTERM");
  expect(await once(other, "exit")).toEqual([143, null]);
});
