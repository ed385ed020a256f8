import { Agent, run } from "@openai/agents";
import { assistantMessage, ScriptedModel } from "@openai/agents/testing";
import { openStore } from "@sessions/config";
import { openaiSession } from "@sessions/openai-agents";

const store = await openStore();
const model = new ScriptedModel([[assistantMessage("Hello.")]]); // leave `model` out to ask OpenAI's
const session = openaiSession(store, "user-42");
const { finalOutput } = await run(new Agent({ name: "assistant", model }), process.argv[2] ?? "Hi.", {
  session,
});
console.log(finalOutput, (await session.getItems()).length);
await store.close();
