import { expect, test } from "vitest";
import type { CommitOutcome } from "../../src/backend/commit-outcome.js";
import type { CommitRequest } from "../../src/backend/commit-request.js";
import { type BeginTurnOptions, createStore, type SessionStore, type Turn } from "../../src/backend.js";
import { MapBackend } from "../store/map-backend.js";
import { ManualClock } from "./manual-clock.js";

/** Records when renewals arrive, and fails them while it is down. */
class RenewalLog extends MapBackend {
  readonly renewedAt: number[] = [];
  isDown = false;
  /** How long a renewal takes to arrive. */
  delayMs = 0;
  readonly #clock: ManualClock;

  constructor(clock: ManualClock) {
    super();
    this.#clock = clock;
  }

  override async commit(requests: readonly CommitRequest[]): Promise<readonly CommitOutcome[]> {
    if (!requests.some(isRenewal)) return super.commit(requests);
    if (this.isDown) throw new Error("the engine stands still");
    this.renewedAt.push(this.#clock.monotonic());
    await new Promise<void>((resolve) => this.#clock.after(this.delayMs, resolve));
    return super.commit(requests);
  }
}

function isRenewal({ ops }: CommitRequest): boolean {
  return ops.some((op) => op.op === "turn" && op.action === "renew");
}

async function held(options: BeginTurnOptions = {}) {
  const clock = new ManualClock();
  const backend = new RenewalLog(clock);
  const store = createStore(backend, { clock });
  return { clock, backend, store, turn: await begun(store, options) };
}

async function begun(store: SessionStore, options: BeginTurnOptions): Promise<Turn> {
  const result = await store.beginTurn("s", options);
  if (result.status !== "begun") throw new Error("the turn did not begin");
  return result.turn;
}

test("a turn is renewed every third of its ttlMs, until it ends", async () => {
  const { clock, backend, turn } = await held({ ttlMs: 9_000 });
  await clock.pass(14_999);
  expect(backend.renewedAt).toEqual([3_000, 6_000, 9_000, 12_000]);
  await turn.complete();
  await clock.pass(60_000);
  expect(backend.renewedAt).toHaveLength(4);
  expect(turn.signal.aborted).toBe(false);
});

test("a holder that cannot renew stops ttlMs after it sent its last successful renewal", async () => {
  const { clock, backend, turn } = await held({ ttlMs: 9_000 });
  backend.delayMs = 1_000;
  await clock.pass(4_000); // sent at 3 s, and answered at 4 s
  backend.isDown = true;
  await clock.pass(7_999);
  expect(turn.signal.aborted).toBe(false);
  await clock.pass(1);
  expect(clock.monotonic()).toBe(3_000 + 9_000);
  expect(turn.signal.reason).toMatchObject({ code: "TURN_LOST", reason: "expired" });
});

test("a turn is kept if the store recovers before the lease is over", async () => {
  const { clock, backend, turn } = await held({ ttlMs: 9_000 });
  backend.isDown = true;
  await clock.pass(8_000);
  backend.isDown = false;
  await clock.pass(60_000);
  expect(turn.signal.aborted).toBe(false);
});

test("with renew: false nothing is renewed automatically, and renew() extends the turn by ttlMs", async () => {
  const { clock, backend, store, turn } = await held({ ttlMs: 9_000, renew: false });
  await clock.pass(8_999);
  expect(backend.renewedAt).toEqual([]);
  const renewed = turn.renew();
  await clock.pass(0);
  await renewed;
  expect(turn.expiresAt).toBe(clock.now() + 9_000);
  expect((await store.getSession("s"))?.turn?.expiresAt).toBe(clock.now() + 9_000);
  await clock.pass(8_999);
  expect(turn.signal.aborted).toBe(false);
  await clock.pass(1);
  expect(turn.signal.reason).toMatchObject({ code: "TURN_LOST", reason: "expired" });
});
