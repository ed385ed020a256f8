import type { SessionStore } from "@sessions/protocol";
import type { Place } from "test-tools";
import { Gate } from "test-tools";
import { expect } from "vitest";
import type { BotTurn, BotUpdate } from "../src/index.js";
import { withoutCompletion } from "./failing-store.js";

/** The methods of a bot that the checks need. */
export interface Answering {
  handle(update: BotUpdate): Promise<{ readonly reply: string | undefined }>;
}

/** The model of a check: it gets the texts that the bot shows it. */
export type Model = (texts: readonly string[], update: BotUpdate) => string | Promise<string>;

/** Makes the bot of one worker. */
export type MakeBot = (store: SessionStore, model: Model) => Answering;

export const textsOf = ({ messages }: Pick<BotTurn, "messages">): readonly string[] =>
  messages.map(({ content }) => String(content));

/** Checks for any implementation of a bot. Each takes a place for sessions and a function that makes a bot. */
export const checks: Readonly<Record<string, (place: Place, make: MakeBot) => Promise<void>>> = {
  async "both turns are stored when two workers answer one user with a slow model"(place, make) {
    const gates = [new Gate(), new Gate()];
    const model: Model = async (_, { id }) => {
      const gate = gates[Number(id)];
      if (gate !== undefined) await gate.passed;
      return `to ${id}`;
    };
    const bots = [make(await place.open(), model), make(await place.open(), model)];
    const running = bots.map((bot, id) => bot.handle({ id, user: 1, text: `text ${id}` }));
    await Promise.race(gates.map((gate) => gate.reached));
    for (const gate of gates) gate.open();
    await Promise.all(running);
    let seen: readonly string[] = [];
    const last = make(await place.open(), (texts) => {
      seen = texts;
      return "";
    });
    await last.handle({ id: "last", user: 1, text: "last" });
    expect(seen.toSorted()).toEqual(["last", "text 0", "text 1", "to 0", "to 1"]);
  },

  async "two workers that get the same update run it once and return equal replies"(place, make) {
    let runs = 0;
    const model: Model = () => `run ${++runs}`;
    const bots = [make(await place.open(), model), make(await place.open(), model)];
    const replies = await Promise.all(bots.map((bot) => bot.handle({ id: 1, user: 1, text: "hi" })));
    expect(replies.map(({ reply }) => reply)).toEqual(["run 1", "run 1"]);
    const later = make(await place.open(), model);
    expect((await later.handle({ id: 1, user: 1, text: "hi" })).reply).toBe("run 1");
    expect(runs).toBe(1);
  },

  async "/new during a turn keeps the old history out of the new conversation"(place, make) {
    const gate = new Gate();
    const model: Model = async (texts, { id }) => {
      if (id === 2) await gate.passed;
      return texts.join("|");
    };
    const bot = make(await place.open(), model);
    const other = make(await place.open(), model);
    await bot.handle({ id: 1, user: 1, text: "secret" });
    const slow = bot.handle({ id: 2, user: 1, text: "slow" });
    await gate.reached;
    await other.handle({ id: 3, user: 1, text: "/new" });
    gate.open();
    await Promise.allSettled([slow]);
    expect((await other.handle({ id: 4, user: 1, text: "fresh" })).reply).toBe("fresh");
  },

  async "a reply that could not be saved is not returned"(place, make) {
    const bot = make(withoutCompletion(await place.open()), () => "all is well");
    await expect(bot.handle({ id: 1, user: 1, text: "hi" })).rejects.toThrow("The disk is broken.");
  },
};
