import { hostname } from "node:os";
import { relative } from "node:path";
import { type ResolvedStore, resolveStore } from "@sessions/config";
import type { SessionStore } from "@sessions/json-file";
import { createManagedAgent, type ManagedAgent } from "@sessions/managed-agent";
import type { Chat } from "./chat.js";
import { complete } from "./commands/complete.js";
import type { ChatModel } from "./model/chat-model.js";
import { chooseModel } from "./model/choose-model.js";
import type { Options } from "./options.js";
import { ownerName } from "./recovery/owner.js";
import { openControls } from "./terminal/open-controls.js";
import { openScreen } from "./terminal/open-screen.js";
import type { Screen } from "./terminal/screen.js";

const WORD_MS = 30;

/** A killed chat loses at most this much of an answer. */
const CHECKPOINT_MS = 500;

/** Opens the store and creates everything that a chat needs. Input is opened last, so that an earlier failure leaves nothing open. */
export async function openChat(options: Options): Promise<Chat> {
  const interactive = process.stdin.isTTY === true && process.stdout.isTTY === true;
  const screen = openScreen(interactive);
  const model = modelFor(options, interactive);
  const resolved = await resolveStore(options.store, { onWarning: ({ message }) => screen.remark(message) });
  const store = await resolved.open();
  const agent = agentOn(store, model, screen);
  const controls = openControls(interactive, (line) => complete(chat, line));
  const rest = {
    interactive,
    place: shortPlace(resolved),
    recover: options.recover,
    host: hostname(),
    now: Date.now,
    listed: [],
  };
  const chat: Chat = { store, agent, model, screen, ...controls, ...rest };
  return chat;
}

function modelFor({ endpoint, delayMs }: Options, interactive: boolean): ChatModel {
  return chooseModel({
    delayMs: delayMs ?? (interactive ? WORD_MS : 0),
    now: () => new Date(),
    ...(endpoint === undefined ? {} : { endpoint }),
  });
}

/** A folder as a relative path; any other store by its address. */
function shortPlace({ kind, location }: ResolvedStore): string {
  if (kind !== "file") return location;
  const path = location.replace(/^file:/, "");
  const fromHere = relative(process.cwd(), path);
  return fromHere === "" || fromHere.startsWith("..") ? path : fromHere;
}

function agentOn(store: SessionStore, model: ChatModel, screen: Screen): ManagedAgent {
  return createManagedAgent({
    store,
    runner: model.runner,
    config: model.config,
    checkpoint: { everyMs: CHECKPOINT_MS },
    owner: ownerName(hostname(), process.pid),
    onWarning: ({ message }) => screen.remark(message),
  });
}
