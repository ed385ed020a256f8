import { expect } from "vitest";
import { existingSession } from "../../assertions/existing-session.js";
import type { Section } from "../../case.js";
import { readAll } from "../../multi-process/workloads/messages.js";
import { archivedIds } from "../../samples/archived-ids.js";
import { idsOf } from "../../samples/messages.js";
import { idsFrom, multiProcessCase } from "./multi-process-case.js";

const ROUNDS = 25;

export const processesChange: Section = {
  name: "several processes change",
  runsAlone: true,
  cases: [
    multiProcessCase(
      "three processes that replace the whole history with `base` and one that appends lose no message",
      ["G4", "G12"],
      async (processes, store) => {
        await store.createSession("s");
        const [writer, ...replacers] = await processes.start("w", "r1", "r2", "r3");
        await Promise.all([
          writer.do({ do: "append", sessions: ["s"], prefix: "w", count: ROUNDS }),
          ...replacers.map((worker) =>
            worker.do({ do: "replace", session: "s", prefix: worker.name, count: ROUNDS }),
          ),
        ]);
        const ids = await readAll(processes.thisProcess(store), "s");
        expect([...ids].sort()).toEqual(
          ["w", "r1", "r2", "r3"].flatMap((name) => idsFrom(name, ROUNDS)).sort(),
        );
        processes.expectValidHistory();
      },
    ),
    multiProcessCase(
      "changes of metadata, labels and counters by three processes are all kept beside the appends of another",
      ["G4", "G5"],
      async (processes, store) => {
        await store.createSession("s");
        const [writer, ...others] = await processes.start("w", "k1", "k2", "k3");
        await Promise.all([
          writer.do({ do: "append", sessions: ["s"], prefix: "w", count: ROUNDS }),
          ...others.map((worker) =>
            worker.do({ do: "settings", session: "s", key: worker.name, count: ROUNDS }),
          ),
        ]);
        const session = await existingSession(store, "s");
        const last = { index: ROUNDS };
        expect(session.metadata).toEqual({ k1: last, k2: last, k3: last });
        expect(session.labels).toEqual({ k1: `${ROUNDS}`, k2: `${ROUNDS}`, k3: `${ROUNDS}` });
        expect(session.counters).toEqual({ everybody: 3 * ROUNDS });
        expect(idsOf(session.messages)).toEqual(idsFrom("w", ROUNDS));
        expect(session.revision).toBe(1 + ROUNDS + 3 * 3 * ROUNDS);
        processes.expectValidHistory();
      },
    ),
    multiProcessCase(
      "messages that one process adds while others archive are either live or archived",
      ["G4", "G15"],
      async (processes, store) => {
        await store.createSession("s");
        const [writer, ...archivers] = await processes.start("w", "a1", "a2");
        await Promise.all([
          writer.do({ do: "append", sessions: ["s"], prefix: "w", count: 100 }),
          ...archivers.map((worker) =>
            worker.do({ do: "archive", session: "s", keepRecent: 3, count: ROUNDS }),
          ),
        ]);
        expect(await readAll(processes.thisProcess(store), "s")).toEqual(idsFrom("w", 100));
        const live = idsOf((await existingSession(store, "s")).messages);
        expect([...(await archivedIds(store, "s")), ...live]).toEqual(idsFrom("w", 100));
        processes.expectValidHistory();
      },
    ),
    multiProcessCase(
      "forks that two processes make while a third one appends have a prefix of the parent and their own message",
      ["G13", "G17"],
      async (processes, store) => {
        await store.createSession("s");
        const [writer, ...forkers] = await processes.start("w", "f1", "f2");
        const [, ...made] = await Promise.all([
          writer.do({ do: "append", sessions: ["s"], prefix: "w", count: 100 }),
          ...forkers.map((worker) => worker.do({ do: "fork", session: "s", prefix: worker.name, count: 10 })),
        ]);
        const forks = made.flat().map(String);
        for (const fork of forks) {
          const ids = idsOf((await existingSession(store, fork)).messages);
          expect(ids).toEqual([...idsFrom("w", 100).slice(0, ids.length - 1), `own-${fork}`]);
        }
        expect((await store.getChildren("s")).map((child) => child.id).sort()).toEqual([...forks].sort());
        expect(await readAll(processes.thisProcess(store), "s")).toEqual(idsFrom("w", 100));
        processes.expectValidHistory();
      },
    ),
    multiProcessCase(
      "a session that one process deletes is absent for the other, and the next append creates it again",
      ["G3", "G5"],
      async (processes, store) => {
        const [worker] = await processes.start("p1");
        const here = processes.thisProcess(store);
        for (let round = 0; round < 20; round++) {
          await worker.do({ do: "append", sessions: ["s"], prefix: `m${round}`, count: 2 });
          expect(await readAll(here, "s")).toEqual(idsFrom(`m${round}`, 2));
          const { revision } = await existingSession(store, "s");
          expect(revision).toBe(3 * round + 2);
          expect(await worker.do({ do: "delete", session: "s" })).toBe(true);
          expect(await store.sessionExists("s")).toBe(false);
        }
        processes.expectValidHistory();
      },
    ),
  ],
};
