import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startServer } from "redis-servers";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { emptyProject } from "./newcomer/empty-project.mjs";
import { RunningProgram } from "./newcomer/running-program.mjs";

const examples = fileURLToPath(new URL("../examples/", import.meta.url));
const MAX_LINES = 20;
const PACKAGES = [
  "protocol",
  "row-engine",
  "turn-runner",
  "config",
  "json-file",
  "sqlite",
  "redis",
  "managed-agent",
  "bot-session",
  "ai-sdk",
  "openai-agents",
].map((name) => `@sessions/${name}`);

let project;
const running = [];

beforeAll(async () => {
  project = await emptyProject(PACKAGES, ["ai", "@openai/agents"]);
  for (const file of readdirSync(examples)) copyFileSync(join(examples, file), join(project.folder, file));
}, 120_000);
afterEach(() => Promise.all(running.splice(0).map((program) => program.kill())));
afterAll(() => project?.remove());

function start(file, options) {
  const program = new RunningProgram(project.folder, file, options);
  running.push(program);
  return program;
}

async function printed(program, text) {
  await vi.waitFor(() => expect(program.printed).toContain(text), { timeout: 30_000, interval: 20 });
}

/** A chat is killed, and goes on where it was. */
async function chatOn(store) {
  const env = { SESSIONS_STORE: store };
  const killed = start("chat.mjs", { env });
  killed.type("My name is Ann.");
  await printed(killed, "Message 1: My name is Ann.");
  await killed.kill();
  const next = start("chat.mjs", { env });
  next.type("Who am I?");
  await printed(next, "Message 3: Who am I?");
  expect(await next.end(), next.printed).toBe(0);
}

/** Runs a server of the reader's on a port that is free, and answers with its address once it listens. */
async function serve(file, store) {
  const port = await freePort();
  const program = start(file, { env: { SESSIONS_STORE: store, PORT: String(port) } });
  const address = `http://127.0.0.1:${port}`;
  await vi.waitFor(() => fetch(`${address}/api/chat/none`), { timeout: 30_000, interval: 20 });
  return { address, program };
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test.each(readdirSync(examples))("the example %s has at most 20 lines", (file) => {
  const lines = readFileSync(join(examples, file), "utf8").trimEnd().split("\n");
  expect(lines.length).toBeLessThanOrEqual(MAX_LINES);
});

test("a chat on SQLite, from packed packages in an empty folder, goes on after kill -9", () =>
  chatOn("sqlite:./chat.db"));

test("the same chat runs on Redis by one environment variable", async () => {
  const server = await startServer();
  try {
    await chatOn(server.url);
  } finally {
    await server.stop();
  }
});

test("a bot answers a webhook, and a message that is delivered twice once", async () => {
  const { address } = await serve("webhook-bot.mjs", "file:./bot");
  const deliver = async (id) => {
    const body = JSON.stringify({ id, from: 42, text: "Hello." });
    return (await fetch(address, { method: "POST", body })).json();
  };
  expect(await deliver(1)).toMatchObject({ reply: "You have sent 1 messages." });
  expect(await deliver(1)).toMatchObject({ reply: "You have sent 1 messages.", duplicate: true });
  expect(await deliver(2)).toMatchObject({ reply: "You have sent 3 messages." });
});

test("a web chat streams an answer, and has it after kill -9", async () => {
  const ask = async (address, n) => {
    const message = { id: `m${n}`, role: "user", parts: [{ type: "text", text: "Hello." }] };
    const body = JSON.stringify({ id: "chat-1", messages: [message] });
    const headers = { "content-type": "application/json" };
    return (await fetch(`${address}/api/chat`, { method: "POST", headers, body })).text();
  };
  const first = await serve("web-chat.mjs", "file:./web");
  expect(await ask(first.address, 1)).toContain("This is message 1.");
  await first.program.kill();
  const second = await serve("web-chat.mjs", "file:./web");
  const { messages } = await (await fetch(`${second.address}/api/chat/chat-1`)).json();
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  expect(await ask(second.address, 2)).toContain("This is message 3.");
});

test("a run of the OpenAI Agents SDK finds the items of the run before", async () => {
  for (const items of [2, 4]) {
    const program = start("openai-agents.mjs", { env: { SESSIONS_STORE: "file:./agents" } });
    expect(await program.end(), program.printed).toBe(0);
    expect(program.printed).toContain(`Hello. ${items}`);
  }
});
