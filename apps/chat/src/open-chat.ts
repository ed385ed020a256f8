import { hostname } from "node:os";
import { openJsonFileStore, type SessionStore } from "@sessions/json-file";
import { createManagedAgent } from "@sessions/managed-agent";
import type { Chat } from "./chat.js";
import { complete } from "./commands/complete.js";
import { chooseModel } from "./model/choose-model.js";
import { Tap } from "./model/tap.js";
import type { Options } from "./options.js";
import { ownerName } from "./recovery/owner.js";
import { Lines } from "./terminal/lines.js";
import { Screen } from "./terminal/screen.js";
import { StopButton } from "./terminal/stop-button.js";
import { styleFor } from "./terminal/style.js";

const WORD_MS = 30;
const SECOND_STOP_EXIT_CODE = 130;

/** Somebody loses at most this much of an answer when they kill the chat. */
const CHECKPOINT_MS = 500;

/** Opens the store, and puts everything that a chat needs together. */
export async function openChat(options: Options): Promise<Chat> {
  const { stdin, stdout, stderr, env } = process;
  const interactive = stdin.isTTY === true && stdout.isTTY === true;
  const remarks = interactive ? stdout : stderr;
  const screen = new Screen({ answers: stdout, remarks, errors: stderr }, styleFor(interactive, env));
  const onWarning = (warning: { readonly message: string }) => screen.remark(warning.message);
  const store = await openJsonFileStore({ root: options.data, onWarning });
  const button = new StopButton({
    leave: () => chat.lines.close(),
    exit: () => process.exit(SECOND_STOP_EXIT_CODE),
  });
  const chat: Chat = {
    ...answerer(store, options, interactive),
    store,
    screen,
    button,
    interactive,
    recover: options.recover,
    host: hostname(),
    now: Date.now,
    listed: [],
    lines: new Lines({
      input: stdin,
      ...(interactive ? { terminal: stdout } : {}),
      complete: (line) => complete(chat, line),
      onInterrupt: () => button.press(),
    }),
  };
  return chat;
}

function answerer(
  store: SessionStore,
  { endpoint, delayMs }: Options,
  interactive: boolean,
): Pick<Chat, "agent" | "model" | "tap"> {
  const tap = new Tap();
  const model = chooseModel({
    delayMs: delayMs ?? (interactive ? WORD_MS : 0),
    now: () => new Date(),
    ...(endpoint === undefined ? {} : { endpoint }),
  });
  const agent = createManagedAgent({
    store,
    runner: tap.on(model.runner),
    config: model.config,
    checkpoint: { everyMs: CHECKPOINT_MS },
    owner: ownerName(hostname(), process.pid),
  });
  return { agent, model, tap };
}
