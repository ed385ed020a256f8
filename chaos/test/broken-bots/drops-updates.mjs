import { readlinkSync, symlinkSync } from "node:fs";
import { createBotSession as make } from "@sessions/bot-session";
import { SessionError } from "@sessions/protocol";
import { withMethods } from "run-tools";
import { open as openStore } from "./with-turns.mjs";

let link = "";

export function open(root, clock) {
  link = `${root}-dropped`;
  return openStore(root, clock);
}

/** Always fails the first update of the run with TURN_BUSY, in every process. */
export function createBotSession(options) {
  const bot = make(options);
  return withMethods(bot, {
    async handle(update) {
      if (String(update.id) === dropped(update.id))
        throw SessionError.of("TURN_BUSY", "There is another one.", {});
      return bot.handle(update);
    },
  });
}

/** The id of the first update. All processes use the same one, because a link is created atomically with its content. */
function dropped(id) {
  try {
    symlinkSync(String(id), link);
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  return readlinkSync(link);
}
