import { createServer } from "node:http";
import { createBotSession } from "@sessions/bot-session";
import { createBotWebhook } from "@sessions/bot-session/fetch";
import { openStore } from "@sessions/config";

const respond = ({ messages }) => `You have sent ${messages.length} messages.`; // call your model here
const store = await openStore();
const webhook = createBotWebhook({
  bot: createBotSession({ store, platform: "my-chat", scope: "user", respond }),
  async read(request) {
    const { id, from, text } = await request.json(); // check the platform's signature before
    return { id, user: from, text };
  },
});
createServer(async (incoming, outgoing) => {
  const body = await new Response(incoming).text();
  const response = await webhook(new Request("http://localhost", { method: "POST", body }));
  outgoing.writeHead(response.status).end(await response.text());
}).listen(process.env.PORT ?? 3000, "127.0.0.1");
