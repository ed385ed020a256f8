import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { StoreTarget } from "@sessions/config";

export const HELP = `Usage: npm run web-chat [-- options]

A chat in the browser, on the AI SDK's useChat. Ask for a long story; then reload the page, open it in another tab,
or kill this server and start it again. No network is needed: the model is a built-in one.

  --port PORT     where the page is (default 3300; 0 for any free one)
  --data FOLDER   where chats are kept (default: .sessions/web-chat in the project)
  --store URL     the same in any store, such as sqlite:./chats.db (or SESSIONS_STORE)
  --delay MS      how long the model pauses between words (default 40)
  --allow-host HOST:PORT  another name that the page may be opened under, such as that of a proxy
  --help          prints this`;

/** The options of the server. */
export interface Options {
  readonly help: boolean;
  readonly port: number;
  /** The store of the chats. */
  readonly store: StoreTarget;
  readonly delayMs: number;
  /** Host names with ports under which the server answers, besides 127.0.0.1 and localhost. */
  readonly allowedHosts: readonly string[];
}

/** An error for wrong arguments that says what to do. */
export class UsageError extends Error {}

const PROJECT = fileURLToPath(new URL("../../../", import.meta.url));
const text = { type: "string" } as const;

export function readOptions(args: readonly string[], env: NodeJS.ProcessEnv): Options {
  const { help, port, data, store, delay, "allow-host": allowedHosts = [] } = parsed(args);
  if (data !== undefined && store !== undefined)
    throw new UsageError("--data and --store: only one of them.");
  return {
    help,
    port: readCount("--port", port ?? "3300", 65_535),
    store: store ?? (data === undefined ? storeIn(env) : folder(data)),
    delayMs: readCount("--delay", delay ?? "40", 60_000),
    allowedHosts,
  };
}

function parsed(args: readonly string[]) {
  const help = { type: "boolean", default: false } as const;
  try {
    const hosts = { type: "string", multiple: true } as const;
    const options = { help, port: text, data: text, store: text, delay: text, "allow-host": hosts };
    return parseArgs({ args: [...args], options }).values;
  } catch (cause) {
    throw new UsageError(`${cause instanceof Error ? cause.message : String(cause)}\n\n${HELP}`, { cause });
  }
}

function storeIn(env: NodeJS.ProcessEnv): StoreTarget {
  return env["SESSIONS_STORE"] || folder(resolve(PROJECT, ".sessions/web-chat"));
}

const folder = (path: string): StoreTarget => ({ store: "file", root: resolve(path) });

function readCount(name: string, given: string, most: number): number {
  const count = Number(given);
  if (given.trim() !== "" && Number.isInteger(count) && count >= 0 && count <= most) return count;
  throw new UsageError(`${name} ${given}: it must be a whole number up to ${most}.`);
}
