import { expect } from "vitest";
import { existingSession } from "../../assertions/existing-session.js";
import type { Section } from "../../case.js";
import { append, readAll } from "../../multi-process/workloads/messages.js";
import { idsOf } from "../../samples/messages.js";
import { idsFrom, multiProcessCase } from "./multi-process-case.js";

const EACH = 100;
const NAMES = ["p1", "p2", "p3", "p4"] as const;

export const processesAppend: Section = {
  name: "several processes append",
  runsAlone: true,
  cases: [
    multiProcessCase(
      "a hundred appends by each of four processes to one session are all there once, in one order, at revisions 1 to 400",
      ["G1", "G4", "G5"],
      async (processes, store) => {
        const workers = await processes.start(...NAMES);
        await Promise.all(
          workers.map((worker) =>
            worker.do({ do: "append", sessions: ["s"], prefix: worker.name, count: EACH }),
          ),
        );
        const ids = await readAll(processes.thisProcess(store), "s");
        expect([...ids].sort()).toEqual(NAMES.flatMap((name) => idsFrom(name, EACH)).sort());
        expect((await existingSession(store, "s")).revision).toBe(NAMES.length * EACH);
        for (const name of NAMES)
          expect(ids.filter((id) => id.startsWith(name))).toEqual(idsFrom(name, EACH));
        processes.expectValidHistory();
      },
    ),
    multiProcessCase(
      "sessions that four processes write at once have exactly their own messages and are all listed",
      ["G4", "G17"],
      async (processes, store) => {
        const sessions = Array.from({ length: 20 }, (_, index) => `s${index}`);
        for (const session of sessions) await store.createSession(session, { labels: { user: "u" } });
        const workers = await processes.start(...NAMES);
        await Promise.all(
          workers.map((worker) => worker.do({ do: "append", sessions, prefix: worker.name, count: EACH })),
        );
        const sent = NAMES.flatMap((name) => idsFrom(name, EACH));
        for (const [index, session] of sessions.entries()) {
          const expected = sent.filter((id) => Number(id.split("-")[1]) % sessions.length === index);
          expect([...(await readAll(processes.thisProcess(store), session))].sort()).toEqual(expected.sort());
        }
        for (const listed of await Promise.all(
          workers.map((worker) => worker.do({ do: "list", user: "u" })),
        )) {
          expect([listed].flat().sort()).toEqual([...sessions].sort());
        }
        processes.expectValidHistory();
      },
    ),
    multiProcessCase(
      "a commit acknowledged in one process is read by the other, two hundred times",
      ["G3"],
      async (processes, store) => {
        const [worker] = await processes.start("p1");
        const here = processes.thisProcess(store);
        for (let round = 0; round < 100; round++) {
          await worker.do({ do: "append", sessions: ["s"], prefix: `there${round}`, count: 1 });
          expect((await readAll(here, "s")).at(-1)).toBe(`there${round}-0`);
          await append({ do: "append", sessions: ["s"], prefix: `here${round}`, count: 1 }, here);
          expect(await worker.do({ do: "read", session: "s" })).toHaveLength(2 * (round + 1));
        }
        processes.expectValidHistory();
      },
    ),
    multiProcessCase(
      "of four processes that create one session exactly one succeeds",
      ["G4"],
      async (processes, store) => {
        const workers = await processes.start(...NAMES);
        for (let round = 0; round < 10; round++) {
          const session = `s${round}`;
          const created = await Promise.all(
            workers.map((worker) => worker.do({ do: "create", session, title: worker.name })),
          );
          expect(created.filter((one) => one === true)).toHaveLength(1);
          const winner = NAMES[created.indexOf(true)];
          expect(await store.getSession(session)).toMatchObject({ title: winner, revision: 1 });
        }
      },
    ),
    multiProcessCase(
      "a commit id that four processes send at once is applied once",
      ["G6"],
      async (processes, store) => {
        const workers = await processes.start(...NAMES);
        for (let round = 0; round < 10; round++) {
          const load = {
            do: "append-once",
            session: "s",
            messageId: `m${round}`,
            commitId: `c${round}`,
          } as const;
          const answers = await Promise.all(workers.map((worker) => worker.do(load)));
          expect(answers.filter((answer) => isFirst(answer))).toHaveLength(1);
          expect(new Set(answers.map((answer) => JSON.stringify(withoutDuplicate(answer)))).size).toBe(1);
        }
        const session = await existingSession(store, "s");
        expect(idsOf(session.messages)).toEqual(Array.from({ length: 10 }, (_, round) => `m${round}`));
        expect(session.counters).toEqual({ everybody: 10 });
        expect(session.revision).toBe(10);
        processes.expectValidHistory();
      },
    ),
  ],
};

function isFirst(answer: unknown): boolean {
  return typeof answer === "object" && answer !== null && "duplicate" in answer && answer.duplicate === false;
}

function withoutDuplicate(answer: unknown): unknown {
  return typeof answer === "object" ? { ...answer, duplicate: undefined } : answer;
}
