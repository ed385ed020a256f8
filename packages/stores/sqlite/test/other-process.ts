import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** A program beside this file, in a process of its own. It gets `argument` as JSON, and is gone after the test. */
export function started(program: string, argument: unknown): ChildProcess {
  const path = fileURLToPath(new URL(program, import.meta.url));
  const child = fork(path, [JSON.stringify(argument)]);
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** What it says next. Fails if it ends before. */
export async function said(child: ChildProcess): Promise<unknown> {
  const ended = once(child, "exit").then(([code, signal]) => {
    throw new Error(`the process ended with ${code ?? signal} and had said nothing`);
  });
  const [message] = await Promise.race([once(child, "message"), ended]);
  return message;
}

/** Waits until it stands still. */
export async function hasStopped(child: ChildProcess): Promise<void> {
  while (!/ T /.test(await readFile(`/proc/${child.pid}/stat`, "utf8"))) await delay(5);
}
