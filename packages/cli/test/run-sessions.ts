import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** The built command. */
export const MAIN = fileURLToPath(new URL("../dist/main.js", import.meta.url));

/** How a command ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where and with what a command runs. */
export interface Place {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** Runs `sessions` as a process of its own. */
export async function sessions(args: readonly string[], place: Place): Promise<Ended> {
  return started(args, place).ended;
}

/** The results of a command with --json, line by line. It must succeed unless another code is expected. */
export async function sessionsJson(args: readonly string[], place: Place, code = 0): Promise<unknown[]> {
  const ended = await sessions([...args, "--json"], place);
  if (ended.code !== code) throw new Error(`exit code ${ended.code}\n${ended.stdout}${ended.stderr}`);
  return ended.stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line): unknown => JSON.parse(line));
}

/** A command that runs. */
export interface Started {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves when standard output and error together hold this. */
  shows(text: string): Promise<void>;
}

export function started(args: readonly string[], { cwd, env = {}, input = "" }: Place): Started {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd,
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  const waiters = new Set<() => void>();
  const heard = (): void => {
    for (const look of waiters) look();
  };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    heard();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    heard();
  });
  child.stdin.on("error", () => undefined); // it may end without reading
  child.stdin.end(input);
  const ended = once(child, "close").then(([code]: unknown[]) => {
    heard();
    return { code: typeof code === "number" ? code : null, stdout, stderr };
  });
  const shows = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if ((stdout + stderr).includes(text)) resolve();
        else if (child.exitCode !== null)
          reject(new Error(`it ended without showing ${text}:\n${stdout}${stderr}`));
        else return;
        waiters.delete(look);
      };
      waiters.add(look);
      look();
    });
  return { process: child, ended, shows };
}

/** A folder that is removed when the test is over. */
export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "sessions-cli-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
