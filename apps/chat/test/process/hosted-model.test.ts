import { describe, expect, test } from "vitest";
import { ChatProcess } from "./chat-process.js";
import { dataFolder, storedSession } from "./data-folder.js";
import { call, ModelServer, words } from "./model-server.js";

describe("with a real model", () => {
  test("a real model answers with the tools of the chat, whose state is stored with the answer", async () => {
    const server = await ModelServer.start(
      call("add_note", { text: "oil" }),
      words("Not", "ed."),
      words("Oil."),
    );
    const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: "secret-key", OPENAI_MODEL: "tiny" };
    const folder = dataFolder();
    const { code, output, errors } = await ChatProcess.talk(
      folder,
      ["remember oil", "what?", "/usage"],
      [],
      env,
    );
    expect({ code, output }).toEqual({
      code: 0,
      output: "Noted.\nOil.\n  inputTokens: 30\n  outputTokens: 9\n  turns: 2\n",
    });
    expect(errors).toContain(`Model: tiny at ${new URL(server.url).host}.`);
    expect(output + errors).not.toContain("secret-key");
    expect(server.asked.map(({ authorization, model }) => [authorization, model])).toEqual(
      Array.from({ length: 3 }, () => ["Bearer secret-key", "tiny"]),
    );
    expect(server.asked[0]?.tools).toEqual(["add_note", "list_notes", "remove_note", "calculate", "clock"]);
    expect(server.asked[0]?.messages.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(server.asked[2]?.messages.map(({ role }) => role)).toEqual([
      ...["system", "user", "assistant", "tool", "assistant", "user"],
    ]);
    expect((await ChatProcess.talk(folder, ["show my notes"])).output).toBe("Your notes:\n  1. oil\n");
  });

  test("a real model needs only an address, and a conversation uses the model of the present start", async () => {
    const folder = dataFolder();
    await ChatProcess.talk(folder, ["hello"]);
    const server = await ModelServer.start(words("Good day."));
    const env = { OPENAI_BASE_URL: server.url, OPENAI_MODEL: "local" };
    expect((await ChatProcess.talk(folder, ["hello"], [], env)).output).toBe("Good day.\n");
    expect(server.asked[0]).toMatchObject({ authorization: undefined, model: "local" });
    expect((await ChatProcess.talk(folder, ["hello"])).output).toBe(
      "Hello again. I still know what we said.\n",
    );
    expect((await storedSession(folder)).messageCount).toBe(6);
  });

  test("an error of a real model is shown, and /retry answers the stored prompt", async () => {
    const server = await ModelServer.start({ status: 401 }, words("Here ", "I am."));
    const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: "secret-key" };
    const folder = dataFolder();
    const failed = await ChatProcess.talk(folder, ["hello"], [], env);
    expect(failed).toMatchObject({ code: 1, output: "" });
    expect(failed.errors).toContain("401");
    expect(failed.errors).not.toContain("secret-key");
    expect((await ChatProcess.talk(folder, ["/retry"], [], env)).output).toBe("Here I am.\n");
    expect((await storedSession(folder)).messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  });

  test("a wrong address is refused at the start", async () => {
    const { code, errors } = await ChatProcess.talk(dataFolder(), ["hello"], [], {
      OPENAI_BASE_URL: "nowhere",
    });
    expect(code).toBe(1);
    expect(errors).toContain("OPENAI_BASE_URL");
  });
});
