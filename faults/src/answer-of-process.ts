import { fork } from "node:child_process";
import { once } from "node:events";
import { within } from "run-tools";

const ANSWER_MS = 30_000;

/** Runs a program without the shim and returns the message that it sends. Does not wait for its exit, in which Node can hang. */
export async function answerOfProcess(program: string, args: readonly string[]): Promise<string> {
  const { LD_PRELOAD: _, ...env } = process.env;
  const child = fork(program, args, { env, execArgv: [], stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const closed = once(child, "close");
  try {
    const answer = once(child, "message").then(([message]) => String(message));
    const ended = closed.then(([code, signal]) => {
      throw new Error(`${program} ended with ${signal ?? `exit code ${code}`} and without an answer`);
    });
    return await within(
      ANSWER_MS,
      `the answer of ${program} ${args.join(" ")}`,
      Promise.race([answer, ended]),
    );
  } finally {
    child.kill("SIGKILL");
    await closed;
  }
}
