import type { SessionStore } from "@sessions/protocol";
import { Bot, type Context, type SessionFlavor, session } from "grammy";
import { type SequentializeOptions, type StorageOptions, sequentialize, storage } from "../src/index.js";
import { botInfo } from "./updates.js";

export interface Data {
  texts: string[];
}

export type OwnContext = Context & SessionFlavor<Data>;

export const initial = (): Data => ({ texts: [] });

/** A bot that notes every text in its session, and does what `act` does before that. */
export function noting(
  store: SessionStore,
  act: (text: string, ctx: OwnContext) => unknown = () => undefined,
  options: SequentializeOptions<OwnContext> & StorageOptions<Data> = {},
): Bot<OwnContext> {
  const bot = new Bot<OwnContext>("token", { botInfo });
  const { name, namespace, importFrom, ...turns } = options;
  bot.use(sequentialize(store, { ...turns, namespace }));
  bot.use(session({ initial, storage: storage<Data>(store, { name, namespace, importFrom }) }));
  bot.on("message:text", async (ctx) => {
    await act(ctx.message.text, ctx);
    ctx.session.texts.push(ctx.message.text);
  });
  return bot;
}

/** What a session holds; `undefined` if there is none. */
export async function textsIn(store: SessionStore, key = "42"): Promise<readonly string[] | undefined> {
  return (await storage<Data>(store).read(key))?.texts;
}

/** What the handlers of a failed update threw: grammY wraps it. */
export function thrownIn(handled: Promise<void>): Promise<unknown> {
  return handled.then(
    () => undefined,
    (reason: { readonly error: unknown }) => reason.error,
  );
}
