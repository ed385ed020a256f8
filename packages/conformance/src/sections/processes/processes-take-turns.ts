import { expect } from "vitest";
import { eventually } from "../../assertions/eventually.js";
import { existingSession } from "../../assertions/existing-session.js";
import type { Section } from "../../case.js";
import { readAll } from "../../multi-process/workloads/messages.js";
import { idsOf } from "../../samples/messages.js";
import { several } from "./several.js";

const LONG_MS = 60_000;
const SHORT_MS = 1_500;
const WAIT_MS = 30_000;
const HOUR_MS = 3_600_000;

export const processesTakeTurns: Section = {
  name: "several processes take turns",
  cases: [
    several(
      "turns of four processes run one at a time: questions and answers never mix",
      ["G7"],
      async (fleet, store) => {
        const workers = await fleet.start("p1", "p2", "p3", "p4");
        await Promise.all(
          workers.map((one) =>
            one.do({ do: "turns", session: "s", prefix: one.name, count: 8, ttlMs: LONG_MS }),
          ),
        );
        const ids = await readAll(fleet.here(store), "s");
        expect(ids).toHaveLength(4 * 8 * 2);
        for (const [index, id] of ids.entries()) {
          if (index % 2 === 0) expect(ids[index + 1]).toBe(id.replace("question", "answer"));
        }
        fleet.expectSound();
      },
    ),
    several(
      "those who wait for a turn get it in the order of their arrival",
      ["G7"],
      async (fleet, store) => {
        const [holder, ...waiters] = await fleet.start("holder", "w1", "w2", "w3");
        await holder.do({ do: "hold", session: "s", turnId: "t0", ttlMs: LONG_MS, waitMs: 0 });
        const order: string[] = [];
        const waiting: Promise<unknown>[] = [];
        for (const [index, worker] of waiters.entries()) {
          const work = worker.begin({
            do: "hold",
            session: "s",
            turnId: worker.name,
            ttlMs: LONG_MS,
            waitMs: WAIT_MS,
          });
          waiting.push(work.done.then(() => order.push(worker.name)).then(() => worker.do({ do: "let-go" })));
          await eventually(async () =>
            expect((await existingSession(store, "s")).turn?.waiting).toBe(index + 1),
          );
        }
        expect(await holder.do({ do: "let-go" })).toBeNull();
        expect(await Promise.all(waiting)).toEqual([null, null, null]);
        expect(order).toEqual(["w1", "w2", "w3"]);
        fleet.expectSound();
      },
    ),
    several(
      "the turn of a killed process is taken over when its lease is over, and not before",
      ["G7"],
      async (fleet, store) => {
        const [holder, heir] = await fleet.start("holder", "heir");
        await holder.do({ do: "hold", session: "s", turnId: "t1", ttlMs: SHORT_MS, waitMs: 0 });
        const waiting = heir.begin({
          do: "hold",
          session: "s",
          turnId: "t2",
          ttlMs: LONG_MS,
          waitMs: WAIT_MS,
        });
        await eventually(async () => expect((await existingSession(store, "s")).turn?.waiting).toBe(1));
        await holder.kill();
        await waiting.done;
        expect(await heir.do({ do: "write-held", messageId: "m1" })).toBeNull();
        expect(await heir.do({ do: "let-go" })).toBeNull();
        expect(await readAll(fleet.here(store), "s")).toEqual(["m1"]);
        fleet.expectSound();
      },
    ),
    several(
      "processes whose wall clocks are an hour off cannot take a live turn, and take a dead one when its lease is over",
      ["G7"],
      async (fleet, store) => {
        const [ahead, behind, ...holders] = await fleet.start("ahead", "behind", "holder-1", "holder-2");
        await ahead.do({ do: "set-clock", aheadMs: HOUR_MS });
        await behind.do({ do: "set-clock", aheadMs: -HOUR_MS });
        const takeOver = async (heir: typeof ahead, holder: typeof ahead | undefined): Promise<void> => {
          const [session, ttlMs] = [heir.name, SHORT_MS];
          await holder?.do({ do: "hold", session, turnId: "t1", ttlMs, waitMs: 0 });
          const live = heir.do({ do: "hold", session, turnId: "t2", ttlMs, waitMs: 1.5 * SHORT_MS });
          await expect(live, "the holder renews its turn").rejects.toThrow("is in the way");
          await holder?.kill();
          await heir.do({ do: "hold", session, turnId: "t3", ttlMs: LONG_MS, waitMs: WAIT_MS });
          expect((await existingSession(store, session)).lastTurn).toMatchObject({ turnId: "t1" });
        };
        await Promise.all([takeOver(ahead, holders[0]), takeOver(behind, holders[1])]);
        fleet.expectSound();
      },
    ),
    several(
      "a paused holder that wakes up after a takeover can change nothing",
      ["G7"],
      async (fleet, store) => {
        const [late, heir] = await fleet.start("late", "heir");
        const token = String(
          await late.do({ do: "hold", session: "s", turnId: "t1", ttlMs: SHORT_MS, waitMs: 0 }),
        );
        expect(await late.do({ do: "write-fenced", session: "s", token, messageId: "m1" })).toBeNull();
        await late.pause();
        await heir.do({ do: "hold", session: "s", turnId: "t2", ttlMs: LONG_MS, waitMs: WAIT_MS });
        expect(await heir.do({ do: "write-held", messageId: "m2" })).toBeNull();
        await late.resume();
        expect(await late.do({ do: "write-fenced", session: "s", token, messageId: "m3" })).toBe("TURN_LOST");
        expect(await late.do({ do: "write-held", messageId: "m4" })).toBe("TURN_LOST");
        expect(await late.do({ do: "let-go" })).toBe("TURN_LOST");
        expect(await heir.do({ do: "let-go" })).toBeNull();
        expect(await readAll(fleet.here(store), "s")).toEqual(["m1", "m2"]);
        fleet.expectSound();
      },
    ),
    several("a turn id that four processes run at once is run once", ["G6"], async (fleet, store) => {
      const workers = await fleet.start("p1", "p2", "p3", "p4");
      for (let round = 0; round < 5; round++) {
        const load = { do: "turn-once", session: `s${round}`, turnId: "webhook-7" } as const;
        const answers = await Promise.all(workers.map((worker) => worker.do(load)));
        expect(answers.filter((answer) => answer === "completed")).toHaveLength(1);
        expect(await store.getChatHistory(`s${round}`)).toMatchObject([
          { content: "webhook-7" },
          { content: "answer to webhook-7" },
        ]);
      }
    }),
    several("an interruption reaches the turn of another process", ["G3"], async (fleet, store) => {
      const [holder, other] = await fleet.start("holder", "other");
      const held = holder.begin({ do: "hold", session: "s", turnId: "t1", ttlMs: LONG_MS, waitMs: 0 });
      await held.done;
      await other.do({ do: "interrupt", session: "s" });
      await eventually(() => expect(held.notes).toEqual([{ aborted: "interrupted" }]));
      expect((await existingSession(store, "s")).turn).toMatchObject({ turnId: "t1", interrupted: true });
    }),
    several("a turn's token works in another process", ["G7"], async (fleet, store) => {
      const [holder, helper] = await fleet.start("holder", "helper");
      const token = String(
        await holder.do({ do: "hold", session: "s", turnId: "t1", ttlMs: LONG_MS, waitMs: 0 }),
      );
      expect(await helper.do({ do: "write-fenced", session: "s", token, messageId: "m1" })).toBeNull();
      expect(await holder.do({ do: "let-go" })).toBeNull();
      expect(await helper.do({ do: "write-fenced", session: "s", token, messageId: "m2" })).toBe("TURN_LOST");
      expect(idsOf(await store.getChatHistory("s"))).toEqual(["m1"]);
      fleet.expectSound();
    }),
  ],
};
