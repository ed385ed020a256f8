import { requireOptions, requireStore, type SessionStore } from "@sessions/protocol/integration";
import { invalid, notify, withDeadline } from "@sessions/turn-runner";
import type { Context, MiddlewareFn } from "grammy";
import { chatSessionId, requireNamespace } from "./chat-session-id.js";
import { handlerDeadline } from "./handler-deadline.js";
import { HeldChat, heldChat, holding } from "./held-chat.js";
import { SEQUENTIALIZE_OPTIONS, type SequentializeOptions } from "./options.js";

/**
 * Middleware that holds the chat's turn while the middleware behind it runs: all processes that share the store handle one update of a
 * chat at a time, in order of arrival. An update that was handled before is not handled again. Put it before `session()`.
 *
 * @example
 * ```ts
 * import * as grammy from "grammy";
 *
 * interface Data { count: number }
 * const bot = new grammy.Bot<grammy.Context & grammy.SessionFlavor<Data>>("token");
 * bot.use(sequentialize(store));
 * bot.use(grammy.session({ initial: () => ({ count: 0 }), storage: storage<Data>(store) }));
 * bot.on("message", (ctx) => ctx.reply(`Message ${++ctx.session.count}.`));
 * ```
 */
export function sequentialize<C extends Context>(
  store: SessionStore,
  given: SequentializeOptions<C> = {},
): MiddlewareFn<C> {
  requireStore(store);
  const options = requireOptions(given, SEQUENTIALIZE_OPTIONS);
  const namespace = requireNamespace(options.namespace ?? "grammy");
  return async (ctx, next) => {
    const { deadlineMs = 120_000 } = options;
    const keys = await withDeadline(handlerDeadline(deadlineMs), () => keysOf(ctx, options));
    const ids = keys.map((key) => chatSessionId(namespace, key));
    const free = ids.filter((id) => heldChat(store, id) === undefined);
    const turns = new ChatTurns(store, namespace, options);
    const handle = (): Promise<void> => withDeadline(handlerDeadline(deadlineMs), next);
    // Sorted: two updates that need the same two chats cannot wait for each other.
    const handled = await turns.hold([...new Set(free)].toSorted(), `update ${ctx.update.update_id}`, handle);
    if (!handled) notify(() => options.onDuplicate?.(ctx));
  };
}

async function keysOf<C extends Context>(
  ctx: C,
  { key }: SequentializeOptions<C>,
): Promise<readonly string[]> {
  const given = key === undefined ? ctx.chatId?.toString() : await key(ctx);
  if (given === undefined) return [];
  const keys: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (keys.every((value) => typeof value === "string")) return keys;
  throw invalid("options.key", "must return a session key, a list of keys, or undefined.");
}

type Waiting = Pick<SequentializeOptions<Context>, "waitMs" | "ttlMs">;

/** The turns of the chats that an update needs. */
class ChatTurns {
  readonly #store: SessionStore;
  readonly #namespace: string;
  readonly #waiting: Waiting;

  constructor(store: SessionStore, namespace: string, { waitMs = 60_000, ttlMs }: Waiting) {
    this.#store = store;
    this.#namespace = namespace;
    this.#waiting = { waitMs, ttlMs };
  }

  /**
   * Handles an update while it holds the turns of these sessions. `turnId` names the turn of the first one; `false` if that session had
   * this turn before.
   */
  async hold(
    [first, ...others]: readonly string[],
    turnId: string | undefined,
    handle: () => Promise<void>,
  ): Promise<boolean> {
    if (first === undefined) {
      await handle();
      return true;
    }
    const options = { ...this.#waiting, turnId, select: "none" } as const;
    const { status } = await this.#store.runTurn(first, options, async (_, session) => {
      const chat = new HeldChat(this.#store, session);
      try {
        await holding(chat, () => this.hold(others, undefined, handle));
        return chat.changes({ grammy: this.#namespace });
      } finally {
        chat.end();
      }
    });
    return status === "completed";
  }
}
