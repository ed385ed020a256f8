import { fork } from "node:child_process";
import { once } from "node:events";
import { within } from "run-tools";

const MESSAGE_MS = 30_000;

/** Runs a program without the shim and returns its first message. Kills it then, because Node can hang in an exit. */
export async function messageOfProcess(program: string, args: readonly string[]): Promise<string> {
  const { LD_PRELOAD: _, ...env } = process.env;
  const child = fork(program, args, { env, execArgv: [], stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const closed = once(child, "close");
  try {
    const sent = once(child, "message").then(([text]) => String(text));
    const ended = closed.then(([code, signal]) => {
      throw new Error(`${program} ended with ${signal ?? `exit code ${code}`} and has sent no message`);
    });
    return await within(
      MESSAGE_MS,
      `the message of ${program} ${args.join(" ")}`,
      Promise.race([sent, ended]),
    );
  } finally {
    child.kill("SIGKILL");
    await closed;
  }
}
