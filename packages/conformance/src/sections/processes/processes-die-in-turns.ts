import { append, count, remove } from "@sessions/protocol";
import { expect } from "vitest";
import { eventually } from "../../assertions/eventually.js";
import { existingSession } from "../../assertions/existing-session.js";
import { untilWaiting } from "../../assertions/until-waiting.js";
import type { Section } from "../../case.js";
import { answerTo, draftIdOf, questionOf } from "../../multi-process/workloads/answers.js";
import { contentsOf } from "../../samples/messages.js";
import { startTurn } from "../../samples/start-turn.js";
import { multiProcessCase } from "./multi-process-case.js";

const SHORT_MS = 1_500;
const WAIT_MS = 30_000;
const ROUNDS = 5;
const TURN = "webhook-7";

export const processesDieInTurns: Section = {
  name: "several processes die in turns",
  cases: [
    multiProcessCase(
      "a process that is killed while it waits for a turn adds no message, and the turn runs in another process",
      ["G2", "G7"],
      async (processes, store) => {
        const [victim] = await processes.start("victim");
        const holder = await startTurn(store, "s");
        victim.begin({ do: "turn-once", session: "s", turnId: TURN, ttlMs: SHORT_MS });
        await untilWaiting(store, 1);
        await victim.kill();
        await holder.complete();
        expect(await store.getChatHistory("s")).toEqual([]);
        const options = { turnId: TURN, messages: questionOf(TURN), waitMs: WAIT_MS };
        const ran = await store.runTurn("s", options, () => append(answerTo(TURN)));
        expect(ran).toMatchObject({ status: "completed" });
        expect(contentsOf(await store.getChatHistory("s"))).toEqual([TURN, `answer to ${TURN}`]);
      },
    ),
    multiProcessCase(
      "a process that is killed during a turn leaves the question and every acknowledged word of the answer",
      ["G1", "G6", "G7"],
      async (processes, store) => {
        const [victim] = await processes.start("victim");
        const streaming = victim.begin({ do: "stream-forever", session: "s", turnId: TURN, ttlMs: SHORT_MS });
        await eventually(() => expect(streaming.notes.length).toBeGreaterThan(20));
        await victim.kill();
        const { turn, messages } = await existingSession(store, "s");
        expect(turn).toMatchObject({ turnId: TURN });
        expect(messages).toMatchObject([questionOf(TURN), { id: draftIdOf(TURN), status: "partial" }]);
        const text = String(messages[1]?.content);
        expect(text.startsWith(streaming.notes.map((word) => `${String(word)} `).join(""))).toBe(true);
        await eventually(async () =>
          expect((await existingSession(store, "s")).turn?.status).toBe("expired"),
        );
        // The turn runs again in this process: the question is not added again, and the draft is there.
        const options = { turnId: TURN, messages: questionOf(TURN), waitMs: WAIT_MS };
        const ran = await store.runTurn("s", options, (_turn, session) => {
          const draft = { id: draftIdOf(TURN), content: text, status: "interrupted" };
          expect(session.messages).toMatchObject([questionOf(TURN), draft]);
          return [remove(draftIdOf(TURN)), append(answerTo(TURN))];
        });
        expect(ran).toMatchObject({ status: "completed" });
        expect(contentsOf(await store.getChatHistory("s"))).toEqual([TURN, `answer to ${TURN}`]);
      },
    ),
    multiProcessCase(
      "the last commit of a turn whose process is killed is applied as a whole or not at all, and a second attempt is a duplicate or runs",
      ["G2", "G6"],
      async (processes, store) => {
        for (let round = 0; round < ROUNDS; round++) {
          const [victim] = await processes.start(`victim${round}`);
          const work = victim.begin({ do: "answer-forever", session: "s", prefix: victim.name });
          await eventually(() => expect(work.notes.length).toBeGreaterThan(5));
          await victim.kill();
          await store.interruptTurn("s", { force: true });
          const turnId = `${victim.name}-${work.notes.length}`; // the first that it has not noted
          const before = contentsOf(await store.getChatHistory("s"));
          const ran = await store.runTurn("s", { turnId, messages: questionOf(turnId) }, () => [
            append(answerTo(turnId)),
            count({ answers: 1 }),
          ]);
          const isThere = before.includes(`answer to ${turnId}`);
          expect(ran.status).toBe(isThere ? "duplicate" : "completed");
          const { messages, counters } = await existingSession(store, "s");
          const texts = contentsOf(messages).map(String);
          const questions = texts.filter((text) => !text.startsWith("answer"));
          expect(texts).toEqual(questions.flatMap((question) => [question, `answer to ${question}`]));
          expect(counters["answers"]).toBe(questions.length);
        }
      },
    ),
  ],
};
