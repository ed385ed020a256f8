/** A tour of a session store: what it keeps that other stores lose. `npm run first-steps` runs it. */
import { parseArgs } from "node:util";
import { openStore } from "@sessions/config";
import { count, extend, type SessionHandle } from "@sessions/memory";

const HELP = `Usage: npm run first-steps [-- --json]

Runs a short conversation through a session store, two writers at once, a webhook that is delivered twice,
a turn that streams and is cut off, a fork and an archive, and shows what the store holds after each.

  --json   prints the session as one JSON document at the end, and nothing else
  --help   prints this

SESSIONS_STORE names another store than memory, such as file:./sessions or sqlite:./sessions.db.`;

const { values: flags } = parseArgs({ options: { json: { type: "boolean" }, help: { type: "boolean" } } });

if (flags.help === true) console.log(HELP);
else await walk(flags.json === true ? () => undefined : console.log, flags.json === true);

async function walk(say: (line: string) => void, json: boolean): Promise<void> {
  await using store = await openStore(process.env["SESSIONS_STORE"] || "memory:");
  const chat = store.session("user-42");

  say("Two writers at once: nothing is overwritten.");
  await Promise.all([
    chat.addMessage({ role: "user", content: "What is a fencing token?" }),
    chat.updateSessionMetadata({ channel: "web" }),
    chat.addMessage({ role: "user", content: "And why do I need one?" }),
  ]);
  await show(chat, say);

  say("A webhook delivered twice: one message.");
  const delivery = { role: "user", content: "Hello?" };
  const first = await chat.addMessage(delivery, { commitId: "webhook-7" });
  const second = await chat.addMessage(delivery, { commitId: "webhook-7" });
  say(
    `  first: revision ${first.revision}; again: revision ${second.revision}, duplicate ${second.duplicate}\n`,
  );

  say("A turn: the answer, the usage and the end of the turn are one commit.");
  await chat.runTurn({ turnId: "turn-1" }, async (turn) => {
    await turn.append({ id: "answer-1", role: "assistant", content: "", status: "partial" });
    for (const text of ["It tells ", "late writers ", "apart."]) await turn.extend("answer-1", { text });
    return [extend("answer-1", { status: "complete" }), count({ turns: 1, outputTokens: 6 })];
  });
  await show(chat, say);

  say("A turn that is cut off: what was streamed stays, marked as interrupted.");
  const cut = chat.runTurn(
    { turnId: "turn-2", messages: { role: "user", content: "Tell me more." } },
    async (turn) => {
      await turn.append({ id: "answer-2", role: "assistant", content: "Imagine two", status: "partial" });
      throw new Error("the model went away");
    },
  );
  await cut.catch((error: Error) => say(`  the caller learns it: ${error.message}`));
  await show(chat, say);

  say("A fork is an island; an archive loses nothing.");
  const { sessionId } = await chat.forkSession({ at: "answer-1", title: "another way" });
  const archive = await chat.archiveMessages({ keepRecent: 2 });
  say(`  fork ${sessionId} has ${(await store.getChatHistory(sessionId)).length} messages`);
  say(
    `  ${archive?.messageCount ?? 0} messages are archived, their summary is ${archive?.summary.status ?? "absent"}`,
  );
  const context = await chat.getContext({ maxTokens: 1000 });
  say(`  a model would be sent ${context.messages.length} messages, about ${context.tokens} tokens`);

  if (json) console.log(JSON.stringify(await chat.exportSession(), null, 2));
  else console.log(`\nThis was a ${(await store.describe()).store} store. Next: docs/guide/first-steps.md`);
}

async function show(chat: SessionHandle, say: (line: string) => void): Promise<void> {
  const session = await chat.getSession();
  if (session === undefined) throw new Error("The session is gone.");
  for (const message of session.messages) {
    const status = message.status === undefined ? "" : ` [${message.status}]`;
    say(`  ${message.role}: ${String(message.content)}${status}`);
  }
  say(`  revision ${session.revision}, counters ${JSON.stringify(session.counters)}\n`);
}
