import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { openStore } from "@sessions/config";

/** A worker without turns: it reads the history, waits for the model, and writes the whole history back. */
process.on("disconnect", () => process.exit(0));
const [, , platform] = process.argv;
const store = await openStore();

async function handle({ user, text: question }) {
  const id = `user ${user}`;
  const history = (await store.sessionExists(id)) ? await store.getChatHistory(id) : [];
  await pause(Math.random() * 20);
  const reply = `re: ${question} #${crypto.randomUUID()}`;
  const said = [
    { role: "user", content: question },
    { role: "assistant", content: reply },
  ];
  await store.setChatHistory(id, [...history, ...said]);
  await store.patchSession(id, { labels: { bot: "conversation", platform } });
  return { reply };
}

const server = createServer(async (request, response) => {
  const answered = await handle(JSON.parse(await text(request))).then(JSON.stringify, () => undefined);
  response.writeHead(answered === undefined ? 500 : 200).end(answered);
});
server.listen(0, "127.0.0.1", () => process.send({ port: server.address().port }));
