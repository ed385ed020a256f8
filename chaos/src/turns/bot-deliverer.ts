import { type BotSession, createBotSession, type Identity } from "@sessions/bot-session";
import { CHECKPOINT, DEADLINE_MS, type Deliverer, type DeliveryContext, textOf } from "./deliverer.js";
import { logTurnBegins } from "./log-turn-begins.js";
import type { CallResult } from "./turn-line.js";
import { type Mode, type Update, updateId } from "./update.js";

/**
 * Short, so that conversations become idle during a run. Bots that destroy on reset have no idle reset: only a command leaves a
 * trace by which the judge knows of the reset.
 */
const IDLE_MS = 1200;

/** Delivers updates to bots: one for each busy mode and account. */
export class BotDeliverer implements Deliverer {
  readonly #context: DeliveryContext;
  readonly #bots = new Map<string, BotSession>();

  constructor(context: DeliveryContext) {
    this.#context = context;
  }

  deliver(update: Update): Promise<void> {
    const { number, user } = update;
    const delivered = { id: updateId(number), user, text: textOf(update), metadata: { update: number } };
    return this.#context.recorder.call(update, "handle", async () => {
      const { outcome, reply, duplicate, sessionId: session } = await this.#bot(update).handle(delivered);
      return { outcome, reply, duplicate, session } satisfies CallResult;
    });
  }

  async linkOrRecover(update: Update): Promise<void> {
    if (!update.links) return;
    const [slice = ""] = update.user.split("-");
    const { mode: platform, account } = update;
    const user = (index: number): Identity => ({ platform, account, user: `${slice}-${index}` });
    await this.#context.recorder.call(update, "link", async () => {
      await this.#bot(update).link(user(0), user(1));
      return { outcome: "done", duplicate: false, session: "" };
    });
  }

  #bot({ mode, account }: Update): BotSession {
    const key = `${mode}/${account}`;
    const bot = this.#bots.get(key) ?? this.#create(mode, account);
    this.#bots.set(key, bot);
    return bot;
  }

  #create(mode: Mode, account: Update["account"]): BotSession {
    const { module, model, clock, ttlMs, process } = this.#context;
    if (mode === "agent") throw new Error("an agent's prompt was delivered to a bot");
    const destroy = account === "destroys";
    return (module.createBotSession ?? createBotSession)({
      store: logTurnBegins(this.#context),
      platform: mode,
      account,
      scope: "user",
      busy: mode,
      reset: { destroy, idleMs: destroy ? undefined : IDLE_MS },
      deadlineMs: DEADLINE_MS,
      ttlMs,
      owner: process,
      checkpoint: CHECKPOINT,
      clock,
      respond: (turn) => model.answer(Number(turn.update.metadata?.["update"]), turn),
    });
  }
}
