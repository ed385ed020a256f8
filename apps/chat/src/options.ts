import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { StoreTarget } from "@sessions/config";
import { readStrategy, type Strategy } from "./recovery/strategy.js";
import { UsageError } from "./usage-error.js";

export const HELP = `Usage: npm start [-- options]

A chat in the terminal. Conversations are kept in a folder, and go on where they were.

  --new             begins a new conversation
  --session ID      goes on with this one instead of the last
  --recover HOW     what to do with an answer that was cut off: keep, retry or discard
                    (default: asks; keep where there is no terminal to ask)
  --data FOLDER     where conversations are kept (default: .sessions/chat in the project)
  --store URL       the same in any store, such as sqlite:./chat.db
  --delay MS        how long the built-in model pauses between words (default 30; 0 in a pipe)
  --demo            shows by itself how a conversation survives a kill -9, in a temporary folder
  --help            prints this

Environment:

  OPENAI_API_KEY        talks to a real model instead of the built-in one
  OPENAI_BASE_URL       at this address (any OpenAI-compatible server; a local one needs no key)
  OPENAI_MODEL          and to this model (default gpt-4o-mini)
  SESSIONS_CHAT_DATA    the same as --data
  SESSIONS_STORE        the same as --store
  NO_COLOR              no colours

In a pipe, each line is a message or a command, and answers are all that goes to standard output:

  printf 'hello\\n' | npm start`;

/** A model that answers over HTTP. */
export interface Endpoint {
  readonly baseURL: string;
  readonly apiKey?: string;
  readonly model: string;
}

/** The options of the chat. */
export interface Options {
  readonly help: boolean;
  readonly demo: boolean;
  /** The store of the conversations. */
  readonly store: StoreTarget;
  readonly isNew: boolean;
  readonly session?: string;
  readonly recover?: Strategy;
  readonly delayMs?: number;
  readonly endpoint?: Endpoint;
}

const PROJECT = fileURLToPath(new URL("../../../", import.meta.url));
const DATA = ".sessions/chat";
const OPENAI = "https://api.openai.com/v1";
const MODEL = "gpt-4o-mini";

const flag = { type: "boolean", default: false } as const;
const text = { type: "string" } as const;

/** Throws a UsageError that says what to do if the arguments are wrong. */
export function readOptions(args: readonly string[], env: NodeJS.ProcessEnv): Options {
  const { new: isNew, session, recover, data, store, delay, help, demo } = parsed(args);
  if (demo && args.length > 1) throw new UsageError("--demo takes no other option.");
  if (isNew && session !== undefined) throw new UsageError("--new and --session: only one of them.");
  if (data !== undefined && store !== undefined)
    throw new UsageError("--data and --store: only one of them.");
  return {
    help,
    demo,
    isNew,
    store: store ?? (data === undefined ? storeIn(env) : folder(data)),
    ...(session === undefined ? {} : { session }),
    ...(recover === undefined ? {} : { recover: readRecover(recover) }),
    ...(delay === undefined ? {} : { delayMs: readDelay(delay) }),
    ...endpointOf(env),
  };
}

function parsed(args: readonly string[]) {
  const options = {
    new: flag,
    session: text,
    recover: text,
    data: text,
    store: text,
    delay: text,
    help: flag,
    demo: flag,
  };
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`, {
      cause: error,
    });
  }
}

/** The variable of the chat takes precedence over SESSIONS_STORE. */
function storeIn(env: NodeJS.ProcessEnv): StoreTarget {
  const [named, url] = [env["SESSIONS_CHAT_DATA"] ?? "", env["SESSIONS_STORE"] ?? ""];
  if (named !== "") return folder(named);
  return url === "" ? folder(resolve(PROJECT, DATA)) : url;
}

const folder = (path: string): StoreTarget => ({ store: "file", root: resolve(path) });

function readRecover(given: string): Strategy {
  const strategy = readStrategy(given);
  if (strategy === undefined) throw new UsageError(`--recover ${given}: it must be keep, retry or discard.`);
  return strategy;
}

function readDelay(given: string): number {
  const delayMs = Number(given);
  if (given.trim() === "" || !(delayMs >= 0 && delayMs <= 60_000))
    throw new UsageError(`--delay ${given}: it must be a number of milliseconds.`);
  return delayMs;
}

function endpointOf(env: NodeJS.ProcessEnv): Pick<Options, "endpoint"> {
  const apiKey = env["OPENAI_API_KEY"] ?? "";
  const baseURL = env["OPENAI_BASE_URL"] ?? "";
  if (apiKey === "" && baseURL === "") return {};
  if (baseURL !== "" && !/^https?:\/\/[^/]/.test(baseURL))
    throw new UsageError(`OPENAI_BASE_URL must be an address such as ${OPENAI}.`);
  return {
    endpoint: {
      baseURL: baseURL || OPENAI,
      model: env["OPENAI_MODEL"] || MODEL,
      ...(apiKey === "" ? {} : { apiKey }),
    },
  };
}
