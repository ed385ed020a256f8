import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { eventually } from "../src/assertions/eventually.js";
import { socketHarness } from "./socket-store/socket-place.js";

const PROGRAM = fileURLToPath(new URL("./socket-store/start-workers.mjs", import.meta.url));

/** Whether a process runs. A zombie does not. */
function runs(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ESRCH"))
      return false;
    throw error;
  }
}

test.runIf(process.platform === "linux")(
  "workers end when the process that started them is killed, paused ones too",
  async () => {
    const place = await socketHarness().place();
    try {
      const starter = spawn(process.execPath, [PROGRAM, JSON.stringify(place.otherProcess)], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const [line] = await once(starter.stdout, "data");
      const pids: number[] = JSON.parse(String(line));
      expect(pids.map(runs)).toEqual([true, true]);
      starter.kill("SIGKILL");
      await once(starter, "exit");
      await eventually(() => expect(pids.map(runs)).toEqual([false, false]));
    } finally {
      await place.cleanup();
    }
  },
);
