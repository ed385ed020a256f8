import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { FileAdapter } from "@grammyjs/storage-file";
import { RedisAdapter } from "@grammyjs/storage-redis";
import { sequentialize, storage } from "@sessions/grammy";
import { Bot, session } from "grammy";
import { Redis } from "ioredis";
import { openStore } from "test-tools/open-store";

/**
 * A worker of a grammY bot that notes every update in its session. A line on its input is a list of updates at once, or
 * tells it to go on with an update whose text is "hold".
 */
const { where, own, botInfo, paceMs, ttlMs } = JSON.parse(process.argv[2]);

const say = (line) => process.stdout.write(`${JSON.stringify({ at: Date.now(), ...line })}\n`);

const bot = new Bot("token", { botInfo });
const initial = () => ({ updates: [] });
if (own) {
  bot.use(session({ initial, storage: grammyStorage() }));
} else {
  const store = await openStore(where);
  bot.use(sequentialize(store, { waitMs: 100_000, ...(ttlMs === undefined ? {} : { ttlMs }) }));
  bot.use(session({ initial, storage: storage(store) }));
}
let goOn = () => undefined;
const told = new Promise((resolve) => {
  goOn = resolve;
});
bot.on("message", async (ctx) => {
  await pause(paceMs);
  if (ctx.message.text === "hold") {
    say({ holds: ctx.update.update_id });
    await told;
  }
  ctx.session.updates.push(ctx.update.update_id);
});

/** grammY's own, at the same place. */
function grammyStorage() {
  if (where.kind === "redis") return new RedisAdapter({ instance: new Redis(where.url) });
  return new FileAdapter({ dirName: where.root });
}

async function handle(updates) {
  const ended = await Promise.allSettled(updates.map((update) => bot.handleUpdate(update)));
  const failures = ended.flatMap(({ reason }) =>
    reason === undefined ? [] : [reason.error?.code ?? String(reason.error ?? reason)],
  );
  say({ handled: updates.length - failures.length, failures });
}

const input = createInterface({ input: process.stdin });
input.on("line", (line) => (line === "go on" ? goOn() : void handle(JSON.parse(line))));
input.on("close", () => process.exit(0));
say({ ready: true });
