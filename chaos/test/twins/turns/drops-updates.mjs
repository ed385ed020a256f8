import { readlinkSync, symlinkSync } from "node:fs";
import { createBotSession as make } from "@sessions/bot-session";
import { SessionError } from "@sessions/protocol";
import { overlaid } from "../faulty.mjs";
import { open as openStore } from "./faulty-store.mjs";

let note = "";

export function open(root, clock) {
  note = `${root}-dropped`;
  return openStore(root, clock);
}

/** Says of the first update of the run that its conversation is busy, in every process and however often it comes. */
export function createBotSession(options) {
  const bot = make(options);
  return overlaid(bot, {
    async handle(update) {
      if (String(update.id) === dropped(update.id))
        throw SessionError.of("TURN_BUSY", "There is another one.", {});
      return bot.handle(update);
    },
  });
}

/** The id of the first update. All processes agree on it: a link is made once, and with its content. */
function dropped(id) {
  try {
    symlinkSync(String(id), note);
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  return readlinkSync(note);
}
