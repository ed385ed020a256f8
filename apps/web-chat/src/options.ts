import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

export const HELP = `Usage: npm run web-chat [-- options]

A chat in the browser, on the AI SDK's useChat. Ask for a long story; then reload the page, open it in another tab,
or kill this server and start it again. No network is needed: the model is a built-in one.

  --port PORT     where the page is (default 3300; 0 for any free one)
  --data FOLDER   where chats are kept (default: .sessions/web-chat in the project)
  --delay MS      how long the model pauses between words (default 40)
  --help          prints this`;

/** How the server is started. */
export interface Options {
  readonly help: boolean;
  readonly port: number;
  readonly data: string;
  readonly delayMs: number;
}

/** Arguments that make no sense, and what to do. */
export class UsageError extends Error {}

const PROJECT = fileURLToPath(new URL("../../../", import.meta.url));
const text = { type: "string" } as const;

export function readOptions(args: readonly string[]): Options {
  const { help, port, data, delay } = parsed(args);
  return {
    help,
    port: readCount("--port", port ?? "3300", 65_535),
    data: data === undefined ? resolve(PROJECT, ".sessions/web-chat") : resolve(data),
    delayMs: readCount("--delay", delay ?? "40", 60_000),
  };
}

function parsed(args: readonly string[]) {
  const help = { type: "boolean", default: false } as const;
  try {
    return parseArgs({ args: [...args], options: { help, port: text, data: text, delay: text } }).values;
  } catch (cause) {
    throw new UsageError(`${cause instanceof Error ? cause.message : String(cause)}\n\n${HELP}`, { cause });
  }
}

function readCount(name: string, given: string, most: number): number {
  const count = Number(given);
  if (given.trim() !== "" && Number.isInteger(count) && count >= 0 && count <= most) return count;
  throw new UsageError(`${name} ${given}: it must be a whole number up to ${most}.`);
}
