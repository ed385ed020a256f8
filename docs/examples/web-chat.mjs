import { createServer } from "node:http";
import { createChatHandlers } from "@sessions/ai-sdk";
import { openStore } from "@sessions/config";

const { post, load } = createChatHandlers({
  store: await openStore(),
  authorize: "public", // (request, chatId) => the id of the user, in a real application
  async *respond({ messages }) {
    yield { type: "text-start", id: "1" }; // call your model here: streamText of the AI SDK
    yield { type: "text-delta", id: "1", delta: `This is message ${messages.length}.` };
    yield { type: "text-end", id: "1" };
  },
});
createServer(async (incoming, outgoing) => {
  const { method, url, headers } = incoming;
  const body = method === "POST" ? await new Response(incoming).text() : undefined;
  const handle = method === "POST" ? post : load;
  const response = await handle(new Request(`http://localhost${url}`, { method, headers, body }));
  outgoing.writeHead(response.status, [...response.headers].flat()).end(await response.text());
}).listen(process.env.PORT ?? 3300, "127.0.0.1");
