import { requireOptions, requireStore, type SessionStore } from "@sessions/protocol/integration";
import type { Context, MiddlewareFn } from "grammy";
import { chatSessionId, invalid, requireNamespace } from "./chat-session-id.js";
import { HeldChat, heldChat, holding } from "./held-chat.js";
import { SEQUENTIALIZE_OPTIONS, type SequentializeOptions } from "./options.js";
import { within } from "./within.js";

/**
 * Middleware that holds the chat's turn around everything behind it: one update of a chat at a time, in order of
 * arrival, in all processes that share the store. An update that was handled before is not handled again. Put it before
 * `session()`.
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
    const keys = await within(deadlineMs, () => keysOf(ctx, options));
    const ids = keys.map((key) => chatSessionId(namespace, key));
    const free = ids.filter((id) => heldChat(store, id) === undefined);
    const line = new Line(store, namespace, options);
    // Always in the same order: two updates that need the same two chats cannot wait for each other.
    const handle = (): Promise<void> => within(deadlineMs, next);
    const handled = await line.hold([...new Set(free)].toSorted(), `update ${ctx.update.update_id}`, handle);
    if (!handled) tell(() => options.onDuplicate?.(ctx));
  };
}

/** A callback is told, and not waited for: what becomes of it changes nothing. */
function tell(callback: () => unknown): void {
  const called = async (): Promise<unknown> => await callback();
  called().catch(() => undefined);
}

async function keysOf<C extends Context>(
  ctx: C,
  { key }: SequentializeOptions<C>,
): Promise<readonly string[]> {
  const given = key === undefined ? ctx.chatId?.toString() : await key(ctx);
  if (given === undefined) return [];
  const keys: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (keys.every((one) => typeof one === "string")) return keys;
  throw invalid("options.key", "must return a session key, a list of keys, or undefined.");
}

type Waiting = Pick<SequentializeOptions<Context>, "waitMs" | "ttlMs">;

class Line {
  readonly #store: SessionStore;
  readonly #namespace: string;
  readonly #waiting: Waiting;

  constructor(store: SessionStore, namespace: string, { waitMs = 60_000, ttlMs }: Waiting) {
    this.#store = store;
    this.#namespace = namespace;
    this.#waiting = { waitMs, ttlMs };
  }

  /**
   * Handles an update while it holds these sessions, the first one under the update's own name. `false` if that one has
   * seen the update before.
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
