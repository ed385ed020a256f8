import { expect } from "vitest";
import { eventually } from "../../assertions/eventually.js";
import { existingSession } from "../../assertions/existing-session.js";
import { untilWaiting } from "../../assertions/until-waiting.js";
import type { Section } from "../../case.js";
import { readAll } from "../../multi-process/workloads/messages.js";
import { idsOf } from "../../samples/messages.js";
import { multiProcessCase } from "./multi-process-case.js";

const LONG_MS = 60_000;
const SHORT_MS = 1_500;
const WAIT_MS = 30_000;
const HOUR_MS = 3_600_000;

export const processesTakeTurns: Section = {
  name: "several processes take turns",
  cases: [
    multiProcessCase(
      "turns of four processes run one at a time, so that their messages never mix",
      ["G7"],
      async (processes, store) => {
        const workers = await processes.start("p1", "p2", "p3", "p4");
        await Promise.all(
          workers.map((one) =>
            one.do({ do: "turns", session: "s", prefix: one.name, count: 8, ttlMs: LONG_MS }),
          ),
        );
        const ids = await readAll(processes.thisProcess(store), "s");
        expect(ids).toHaveLength(4 * 8 * 2);
        for (const [index, id] of ids.entries()) {
          if (index % 2 === 0) expect(ids[index + 1]).toBe(id.replace("question", "answer"));
        }
        processes.expectValidHistory();
      },
    ),
    multiProcessCase(
      "processes that wait for a turn get it in the order in which they began to wait",
      ["G7"],
      async (processes, store) => {
        const [holder, ...waiters] = await processes.start("holder", "w1", "w2", "w3");
        await holder.do({ do: "hold-turn", session: "s", turnId: "t0", ttlMs: LONG_MS, waitMs: 0 });
        const order: string[] = [];
        const waiting: Promise<unknown>[] = [];
        for (const [index, worker] of waiters.entries()) {
          const work = worker.begin({
            do: "hold-turn",
            session: "s",
            turnId: worker.name,
            ttlMs: LONG_MS,
            waitMs: WAIT_MS,
          });
          waiting.push(
            work.done.then(() => order.push(worker.name)).then(() => worker.do({ do: "complete-turn" })),
          );
          await untilWaiting(store, index + 1);
        }
        expect(await holder.do({ do: "complete-turn" })).toBeNull();
        expect(await Promise.all(waiting)).toEqual([null, null, null]);
        expect(order).toEqual(["w1", "w2", "w3"]);
        processes.expectValidHistory();
      },
    ),
    multiProcessCase(
      "the turn of a killed process is taken over when its lease has ended, and not before",
      ["G7"],
      async (processes, store) => {
        const [holder, heir] = await processes.start("holder", "heir");
        await holder.do({ do: "hold-turn", session: "s", turnId: "t1", ttlMs: SHORT_MS, waitMs: 0 });
        const waiting = heir.begin({
          do: "hold-turn",
          session: "s",
          turnId: "t2",
          ttlMs: LONG_MS,
          waitMs: WAIT_MS,
        });
        await untilWaiting(store, 1);
        await holder.kill();
        await waiting.done;
        expect(await heir.do({ do: "write-in-turn", messageId: "m1" })).toBeNull();
        expect(await heir.do({ do: "complete-turn" })).toBeNull();
        expect(await readAll(processes.thisProcess(store), "s")).toEqual(["m1"]);
        processes.expectValidHistory();
      },
    ),
    multiProcessCase(
      "processes whose wall clocks are an hour off cannot take over a live turn, and take over a dead one after its lease",
      ["G7"],
      async (processes, store) => {
        const [ahead, behind, ...holders] = await processes.start("ahead", "behind", "holder-1", "holder-2");
        await ahead.do({ do: "set-clock", aheadMs: HOUR_MS });
        await behind.do({ do: "set-clock", aheadMs: -HOUR_MS });
        const takeOver = async (heir: typeof ahead, holder: typeof ahead | undefined): Promise<void> => {
          const [session, ttlMs] = [heir.name, SHORT_MS];
          await holder?.do({ do: "hold-turn", session, turnId: "t1", ttlMs, waitMs: 0 });
          const live = heir.do({ do: "hold-turn", session, turnId: "t2", ttlMs, waitMs: 1.5 * SHORT_MS });
          await expect(live, "the holder renews its turn").rejects.toThrow("is in the way");
          await holder?.kill();
          await heir.do({ do: "hold-turn", session, turnId: "t3", ttlMs: LONG_MS, waitMs: WAIT_MS });
          expect((await existingSession(store, session)).lastTurn).toMatchObject({ turnId: "t1" });
        };
        await Promise.all([takeOver(ahead, holders[0]), takeOver(behind, holders[1])]);
        processes.expectValidHistory();
      },
    ),
    multiProcessCase(
      "a paused holder that is resumed after a takeover can change nothing",
      ["G7"],
      async (processes, store) => {
        const [late, heir] = await processes.start("late", "heir");
        const token = String(
          await late.do({ do: "hold-turn", session: "s", turnId: "t1", ttlMs: SHORT_MS, waitMs: 0 }),
        );
        expect(await late.do({ do: "write-with-token", session: "s", token, messageId: "m1" })).toBeNull();
        await late.pause();
        await heir.do({ do: "hold-turn", session: "s", turnId: "t2", ttlMs: LONG_MS, waitMs: WAIT_MS });
        expect(await heir.do({ do: "write-in-turn", messageId: "m2" })).toBeNull();
        await late.resume();
        expect(await late.do({ do: "write-with-token", session: "s", token, messageId: "m3" })).toBe(
          "TURN_LOST",
        );
        expect(await late.do({ do: "write-in-turn", messageId: "m4" })).toBe("TURN_LOST");
        expect(await late.do({ do: "complete-turn" })).toBe("TURN_LOST");
        expect(await heir.do({ do: "complete-turn" })).toBeNull();
        expect(await readAll(processes.thisProcess(store), "s")).toEqual(["m1", "m2"]);
        processes.expectValidHistory();
      },
    ),
    multiProcessCase(
      "a turn id that four processes run concurrently is run once",
      ["G6"],
      async (processes, store) => {
        const workers = await processes.start("p1", "p2", "p3", "p4");
        for (let round = 0; round < 5; round++) {
          const load = { do: "turn-once", session: `s${round}`, turnId: "webhook-7" } as const;
          const answers = await Promise.all(workers.map((worker) => worker.do(load)));
          expect(answers.filter((answer) => answer === "completed")).toHaveLength(1);
          expect(await store.getChatHistory(`s${round}`)).toMatchObject([
            { content: "webhook-7" },
            { content: "answer to webhook-7" },
          ]);
        }
      },
    ),
    multiProcessCase(
      "an interruption reaches the turn of another process",
      ["G3"],
      async (processes, store) => {
        const [holder, other] = await processes.start("holder", "other");
        const held = holder.begin({ do: "hold-turn", session: "s", turnId: "t1", ttlMs: LONG_MS, waitMs: 0 });
        await held.done;
        await other.do({ do: "interrupt", session: "s" });
        await eventually(() => expect(held.notes).toEqual([{ aborted: "interrupted" }]));
        expect((await existingSession(store, "s")).turn).toMatchObject({ turnId: "t1", interrupted: true });
      },
    ),
    multiProcessCase(
      "another process can write with the token of a running turn",
      ["G7"],
      async (processes, store) => {
        const [holder, helper] = await processes.start("holder", "helper");
        const token = String(
          await holder.do({ do: "hold-turn", session: "s", turnId: "t1", ttlMs: LONG_MS, waitMs: 0 }),
        );
        expect(await helper.do({ do: "write-with-token", session: "s", token, messageId: "m1" })).toBeNull();
        expect(await holder.do({ do: "complete-turn" })).toBeNull();
        expect(await helper.do({ do: "write-with-token", session: "s", token, messageId: "m2" })).toBe(
          "TURN_LOST",
        );
        expect(idsOf(await store.getChatHistory("s"))).toEqual(["m1"]);
        processes.expectValidHistory();
      },
    ),
  ],
};
