import type { SessionStore } from "@sessions/protocol";
import { expect } from "vitest";
import { eventually } from "../../assertions/eventually.js";
import type { Section } from "../../case.js";
import type { ProcessGroup } from "../../multi-process/process-group.js";
import { append, readAll } from "../../multi-process/workloads/messages.js";
import { multiProcessCase } from "./multi-process-case.js";

const ROUNDS = 5;

export const processesAreKilled: Section = {
  name: "several processes are killed",
  runsAlone: true,
  cases: [
    multiProcessCase(
      "after a writer is killed its acknowledged messages are there once, the others at most once, and other writers go on",
      ["G1", "G4", "G6"],
      async (processes, store) => {
        const here = processes.thisProcess(store);
        const [steady] = await processes.start("steady");
        const going = steady.begin({ do: "append-forever", session: "s", prefix: "steady" });
        for (let round = 0; round < ROUNDS; round++) {
          const [victim] = await processes.start(`victim${round}`);
          victim.begin({ do: "append-forever", session: "s", prefix: victim.name });
          await eventually(() => expect(acknowledged(processes, victim.name)).toBeGreaterThan(20));
          await victim.kill();
          await readAll(here, "s");
        }
        await steady.kill();
        await expect(going.done).rejects.toThrow();
        await append({ do: "append", sessions: ["s"], prefix: "after", count: 3 }, here);
        expect((await readAll(here, "s")).slice(-3)).toEqual(["after-0", "after-1", "after-2"]);
        processes.expectValidHistory();
      },
    ),
    multiProcessCase(
      "a paused process does not block other writers, and goes on when it is resumed",
      ["G4", "G18"],
      async (processes, store) => {
        const { sleeper, steady, asleep } = await pausedAppender(processes);
        await steady.do({ do: "append", sessions: ["s"], prefix: "steady", count: 50 });
        await sleeper.resume();
        expect(await asleep.done).toBe(300);
        expect(await readAll(processes.thisProcess(store), "s")).toHaveLength(350);
        processes.expectValidHistory();
      },
      hasIndependentWriters,
    ),
    multiProcessCase(
      "declared dependent: a writer that waits for a paused process goes on when that is resumed, and nothing is lost",
      ["G4", "G18"],
      async (processes, store) => {
        const { sleeper, steady, asleep } = await pausedAppender(processes);
        const waiting = steady.begin({ do: "append", sessions: ["s"], prefix: "steady", count: 50 });
        // Reads never wait. The writer may not wait either, if the process was paused between two commits.
        await readAll(processes.thisProcess(store), "s");
        await sleeper.resume();
        expect(await waiting.done).toBe(50);
        expect(await asleep.done).toBe(300);
        expect(await readAll(processes.thisProcess(store), "s")).toHaveLength(350);
        processes.expectValidHistory();
      },
      (store) => !hasIndependentWriters(store),
    ),
  ],
};

/** Two processes. The first is paused in the middle of 300 appends. */
async function pausedAppender(processes: ProcessGroup) {
  const [sleeper, steady] = await processes.start("sleeper", "steady");
  const asleep = sleeper.begin({ do: "append", sessions: ["s"], prefix: "sleeper", count: 300 });
  await eventually(() => expect(acknowledged(processes, "sleeper")).toBeGreaterThan(10));
  await sleeper.pause();
  return { sleeper, steady, asleep };
}

function hasIndependentWriters(store: SessionStore): boolean {
  return store.capabilities.independentWriters?.supported ?? true;
}

function acknowledged(processes: ProcessGroup, process: string): number {
  return processes.log.filter((event) => event.process === process && event.type === "ok").length;
}
