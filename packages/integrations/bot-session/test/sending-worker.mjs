import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { createBotSession } from "@sessions/bot-session";
import { createBotWebhook } from "@sessions/bot-session/fetch";
import { openStore } from "test-tools/open-store";

/**
 * A worker that sends replies by the API of a platform, which is a file with a line for each reply. It prints what happens. A line on
 * its input is an update. It pauses for ever, to be killed, after it has sent a reply to a text with "hold after sending", and before it
 * responds to one with "hold before responding".
 */
const { where, platform } = JSON.parse(process.argv[2]);
const say = (line) => process.stdout.write(`${JSON.stringify({ at: Date.now(), ...line })}\n`);
const forEver = () => new Promise(() => undefined);

const store = await openStore(where);
const bot = createBotSession({
  store,
  platform: "test",
  scope: "user",
  respond: ({ update }) => `to ${update.text}`,
});
const webhook = createBotWebhook({
  bot,
  read: async (request) => JSON.parse(await request.text()),
  async send({ reply }, { id, text = "" }) {
    appendFileSync(platform, `${reply}\n`);
    if (!text.includes("hold after sending")) return;
    say({ holds: id });
    await forEver();
  },
});

async function deliver(body) {
  const { id, text } = JSON.parse(body);
  const { status } = await webhook(new Request("http://bot/", { method: "POST", body }));
  if (text.includes("hold before responding")) {
    say({ holds: id });
    await forEver();
  }
  say({ id, status });
}

const input = createInterface({ input: process.stdin });
input.on("line", (line) => void deliver(line));
input.on("close", () => process.exit(0));
setInterval(() => undefined, 1000); // a promise that never settles keeps no process alive
say({ ready: true });
