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
      "a writer killed in mid-flight: what it acknowledged is there once, what it did not at most once, and others go on",
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
      "a process that stands still for a while blocks nobody, and goes on where it was",
      ["G4", "G18"],
      async (processes, store) => {
        const { sleeper, steady, asleep } = await pausedAppender(processes);
        await steady.do({ do: "append", sessions: ["s"], prefix: "steady", count: 50 });
        await sleeper.resume();
        expect(await asleep.done).toBe(300);
        expect(await readAll(processes.thisProcess(store), "s")).toHaveLength(350);
        processes.expectValidHistory();
      },
      areIndependent,
    ),
    multiProcessCase(
      "declared dependent: who waits for a process that stands still goes on when it does, and nothing is lost",
      ["G4", "G18"],
      async (processes, store) => {
        const { sleeper, steady, asleep } = await pausedAppender(processes);
        const waiting = steady.begin({ do: "append", sessions: ["s"], prefix: "steady", count: 50 });
        // It may stand still between two commits, and then nobody waits for it. Reading never does.
        await readAll(processes.thisProcess(store), "s");
        await sleeper.resume();
        expect(await waiting.done).toBe(50);
        expect(await asleep.done).toBe(300);
        expect(await readAll(processes.thisProcess(store), "s")).toHaveLength(350);
        processes.expectValidHistory();
      },
      (store) => !areIndependent(store),
    ),
  ],
};

/** Two processes. The first stands still in the middle of 300 appends. */
async function pausedAppender(processes: ProcessGroup) {
  const [sleeper, steady] = await processes.start("sleeper", "steady");
  const asleep = sleeper.begin({ do: "append", sessions: ["s"], prefix: "sleeper", count: 300 });
  await eventually(() => expect(acknowledged(processes, "sleeper")).toBeGreaterThan(10));
  await sleeper.pause();
  return { sleeper, steady, asleep };
}

function areIndependent(store: SessionStore): boolean {
  return store.capabilities.independentWriters?.supported ?? true;
}

function acknowledged(processes: ProcessGroup, process: string): number {
  return processes.log.filter((event) => event.process === process && event.type === "ok").length;
}
