import { once } from "node:events";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** What the API answers with. */
export type Compacting = (body: unknown) => Promise<readonly object[]> | readonly object[];

/**
 * OpenAI's API, as much of it as compacts: `POST /v1/responses/compact`, answered by the test. The SDK finds it by the
 * variables that its clients read. Gives the bodies of the requests.
 */
export async function compactionApi(compact: Compacting): Promise<readonly unknown[]> {
  const bodies: unknown[] = [];
  const server = createServer(async (request, response) => {
    const body = await json(request);
    bodies.push(body);
    try {
      const output = await compact(body);
      const usage = { input_tokens: 7, output_tokens: 3, total_tokens: 10 };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ id: "resp_c", object: "response.compaction", output, usage }));
    } catch {
      // The client would try again for a while.
      response.writeHead(500, { "x-should-retry": "false" }).end('{"error":{"message":"it broke"}}');
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("There is no port.");
  process.env["OPENAI_API_KEY"] = "none";
  process.env["OPENAI_BASE_URL"] = `http://127.0.0.1:${address.port}/v1`;
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  return bodies;
}
