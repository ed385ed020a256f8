import { type SessionStore, summarizeArchives } from "@sessions/protocol";
import { expect } from "vitest";
import { errorOf } from "../../assertions/error-of.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { idsOf, numbered } from "../../samples/messages.js";

async function twoArchives(store: SessionStore, id: string): Promise<void> {
  await store.addMessage(id, numbered(6));
  await store.archiveMessages(id, { keepRecent: 4 });
  await store.archiveMessages(id, { keepRecent: 2 });
}

async function summariesOf(store: SessionStore, id: string): Promise<unknown[]> {
  return (await store.listArchives(id)).map(({ summary }) =>
    summary.status === "done" ? summary.text : summary.status,
  );
}

export const summaries: Section = {
  name: "summaries",
  cases: [
    behaviour(
      "every pending archive is summarised once, from its messages and the summary before it",
      ["G15"],
      async (store) => {
        for (const id of ["a", "b"]) await twoArchives(store, id);
        const tasks: string[] = [];
        const result = await summarizeArchives(store, {
          summarize: ({ sessionId, messages, previous }) => {
            tasks.push(`${sessionId}: ${idsOf(messages).join(" ")}`);
            return `${previous ?? ""}[${idsOf(messages).join(" ")}]`;
          },
        });
        expect(result).toEqual({ done: 4, failed: 0 });
        expect(tasks.toSorted()).toEqual(["a: m1 m2", "a: m3 m4", "b: m1 m2", "b: m3 m4"]);
        expect(await summariesOf(store, "a")).toEqual(["[m1 m2]", "[m1 m2][m3 m4]"]);
        expect(await summarizeArchives(store, { summarize: () => "again" })).toEqual({ done: 0, failed: 0 });
      },
    ),
    behaviour(
      "archives that are pending before a restart are summarised after it",
      ["G15"],
      async (store, { open }) => {
        await twoArchives(store, "s");
        const controller = new AbortController();
        const interrupted = summarizeArchives(store, {
          signal: controller.signal,
          summarize: () => {
            controller.abort(new Error("shutting down"));
            return "never settled";
          },
        });
        expect(await errorOf(interrupted)).toMatchObject({ message: "shutting down" });
        expect(await summariesOf(store, "s")).toEqual(["pending", "pending"]);
        await store.close();
        const other = await open();
        expect(await summarizeArchives(other, { summarize: () => "resumed" })).toEqual({
          done: 2,
          failed: 0,
        });
        expect(await summariesOf(other, "s")).toEqual(["resumed", "resumed"]);
      },
    ),
    behaviour(
      "a failed summary is recorded and retried, and its archive contributes its messages meanwhile",
      ["G15"],
      async (store) => {
        await twoArchives(store, "s");
        const failing = (): never => {
          throw new Error("no model");
        };
        expect(await summarizeArchives(store, { summarize: failing })).toEqual({ done: 0, failed: 2 });
        expect(await summariesOf(store, "s")).toEqual(["failed", "failed"]);
        const context = await store.getContext("s", { maxTokens: 100, countTokens: () => 1 });
        expect(idsOf(context.messages)).toEqual(["m1", "m2", "m3", "m4", "m5", "m6"]);
        expect(await summarizeArchives(store, { summarize: () => "at last" })).toEqual({
          done: 2,
          failed: 0,
        });
        expect(await summariesOf(store, "s")).toEqual(["at last", "at last"]);
      },
    ),
    behaviour("a summary is not retried after maxAttempts failures", ["G18"], async (store) => {
      await twoArchives(store, "s");
      const options = { maxAttempts: 2, summarize: () => Promise.reject(new Error("no")) };
      expect(await summarizeArchives(store, options)).toEqual({ done: 0, failed: 2 });
      expect(await summarizeArchives(store, options)).toEqual({ done: 0, failed: 2 });
      expect(await summarizeArchives(store, options)).toEqual({ done: 0, failed: 0 });
    }),
    behaviour(
      "summarizeArchives can be limited to one session and reports each settled archive",
      [],
      async (store) => {
        for (const id of ["a", "b"]) await twoArchives(store, id);
        const settled: string[] = [];
        await summarizeArchives(store, {
          sessionId: "a",
          summarize: () => "x",
          onSettled: ({ sessionId }) => settled.push(sessionId),
        });
        expect(settled).toEqual(["a", "a"]);
        expect(await summariesOf(store, "b")).toEqual(["pending", "pending"]);
      },
    ),
    behaviour("two concurrent runs settle each archive once", ["G4", "G15"], async (store, { open }) => {
      await twoArchives(store, "s");
      const other = await open();
      const run = (one: SessionStore, name: string): Promise<unknown> =>
        summarizeArchives(one, { summarize: () => `by ${name}` });
      await Promise.allSettled([run(store, "one"), run(other, "two")]);
      const settled = await summariesOf(store, "s");
      for (const text of settled) expect(["by one", "by two"]).toContain(text);
      await summarizeArchives(other, { summarize: () => "a third" });
      expect(await summariesOf(store, "s")).toEqual(settled);
    }),
    behaviour(
      "a session that is deleted during a run does not stop the summaries of others",
      ["G15"],
      async (store) => {
        for (const id of ["a", "b", "c"]) {
          await store.addMessage(id, numbered(2));
          await store.archiveMessages(id);
        }
        const summarize = async ({ sessionId }: { readonly sessionId: string }): Promise<string> => {
          if (sessionId === "b") await store.deleteSession("b");
          return `about ${sessionId}`;
        };
        expect(await summarizeArchives(store, { summarize })).toEqual({ done: 2, failed: 0 });
        expect((await store.listArchives("c"))[0]?.summary).toMatchObject({
          status: "done",
          text: "about c",
        });
      },
    ),
  ],
};
