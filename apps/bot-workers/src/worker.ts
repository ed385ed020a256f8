/**
 * The program of a worker: `SESSIONS_STORE=… node worker.js <platform>`. It serves the webhook of the bot on a free port, sends the
 * port to its parent, and ends when the parent does.
 */
import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { type BotTurn, createBotSession } from "@sessions/bot-session";
import { createBotWebhook } from "@sessions/bot-session/fetch";
import { openStore } from "@sessions/config";
import { serveFetch } from "./serve-fetch.js";

/** The longest wait of a user for an answer after a worker was killed. */
const TTL_MS = 2000;
const SLOWEST_MODEL_MS = 20;

process.on("disconnect", () => process.exit(0));
process.on("SIGINT", () => undefined); // Ctrl-C signals the whole process group, but the run decides when workers end

/** A slow model whose answers are all different, so that a second answer to an update is detected. */
async function* model({
  update,
}: BotTurn): AsyncGenerator<{ readonly type: "text-delta"; readonly text: string }> {
  yield { type: "text-delta", text: `re: ${update.text}` };
  await pause(Math.random() * SLOWEST_MODEL_MS);
  yield { type: "text-delta", text: ` #${crypto.randomUUID()}` };
}

const [, , platform = ""] = process.argv;
const store = await openStore();
const bot = createBotSession({
  store,
  platform,
  scope: "user",
  respond: model,
  ttlMs: TTL_MS,
  checkpoint: { everyMs: 5 },
  owner: `worker ${process.pid}`,
});
const webhook = createBotWebhook({ bot, read: async (request) => JSON.parse(await request.text()) });
const server = createServer((request, response) => serveFetch(webhook, request, response));
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object") process.send?.({ port: address?.port });
});
