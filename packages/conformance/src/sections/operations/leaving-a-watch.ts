import { type Change, createStore, type SessionBackend, type SessionStore } from "@sessions/protocol/backend";
import { expect } from "vitest";
import { eventually } from "../../assertions/eventually.js";
import { behaviour } from "../../behaviour.js";
import type { Case } from "../../case.js";
import { user } from "../../samples/messages.js";

const PENDING = "no change yet";
const DONE = { done: true, value: undefined };
const TARGETS = [{}, { session: "s" }];

/** A watch of session "s" that has returned every change; `next` waits for another one. */
interface WaitingWatch {
  readonly changes: AsyncIterator<Change>;
  readonly next: Promise<IteratorResult<Change>>;
}

async function readAllChanges(store: SessionStore, changes: AsyncIterator<Change>): Promise<WaitingWatch> {
  let next = changes.next();
  let last = 0;
  await eventually(async () => {
    last = (await store.addMessage("s", user("are you there?"))).revision;
    expect(await Promise.race([next, Promise.resolve(PENDING)])).not.toBe(PENDING);
  });
  for (let seen = 0; seen < last; next = changes.next()) {
    const change = await next;
    seen = change.done === true ? last : change.value.revision;
  }
  return { changes, next };
}

/** The same backend; `running()` is the number of its feeds that have not ended. */
function counting(backend: SessionBackend): { readonly backend: SessionBackend; running(): number } {
  let running = 0;
  async function* watch(...call: Parameters<SessionBackend["watch"]>): AsyncGenerator<Change> {
    running++;
    try {
      yield* backend.watch(...call);
    } finally {
      running--;
    }
  }
  const counted = new Proxy(backend, {
    get(_, key) {
      const value: unknown = key === "watch" ? watch : Reflect.get(backend, key);
      return typeof value === "function" ? value.bind(backend) : value;
    },
  });
  return { backend: counted, running: () => running };
}

type Leave = (changes: AsyncIterator<Change>, controller: AbortController) => unknown;

const WAYS: Readonly<Record<string, Leave>> = {
  "return()": (changes) => changes.return?.(),
  "the abort of its signal": (_, controller) => controller.abort(),
};

/** Nothing is written meanwhile: a watch that ends only with its next change never ends, and the case times out. */
async function expectEnds(store: SessionStore, leave: Leave, isWaiting: boolean): Promise<void> {
  for (const target of TARGETS) {
    const controller = new AbortController();
    const changes = store.watch({ ...target, signal: controller.signal })[Symbol.asyncIterator]();
    const { next } = isWaiting ? await readAllChanges(store, changes) : { next: changes.next() };
    const returned = leave(changes, controller);
    expect(await next).toEqual(DONE);
    await returned;
    expect(await changes.next()).toEqual(DONE);
  }
}

/** Cases about watches that end without a change. */
export const leavingAWatch: readonly Case[] = [
  ...Object.entries(WAYS).flatMap(([way, leave]) => [
    behaviour(`${way} ends a watch that waits for a change`, ["G19"], async (store) => {
      await store.addMessage("s", user("x"));
      await expectEnds(store, leave, true);
    }),
    behaviour(`${way} ends a watch that has just begun`, ["G19"], async (store) => {
      await store.addMessage("s", user("x"));
      await expectEnds(store, leave, false);
    }),
  ]),
  behaviour(
    "a `break` out of a watch ends it also for another task that waits for the next change",
    ["G19"],
    async (store) => {
      const changes = store.watch({ session: "s", since: 0 })[Symbol.asyncIterator]();
      await store.addMessage("s", user("one"));
      let next: Promise<unknown> | undefined;
      for await (const _ of { [Symbol.asyncIterator]: () => changes }) {
        ({ next } = await readAllChanges(store, changes));
        break;
      }
      expect(await next).toEqual(DONE);
    },
  ),
  behaviour(
    "no feed of the backend goes on after its watch has ended",
    ["G19"],
    async (_store, { openBackend }) => {
      const { backend, running } = counting(await openBackend());
      const store = createStore(backend);
      await store.addMessage("s", user("x"));
      for (const leave of Object.values(WAYS)) {
        await expectEnds(store, leave, true);
        await expectEnds(store, leave, false);
      }
      for await (const _ of store.watch({ session: "s", since: 0 })) break;
      await eventually(() => expect(running()).toBe(0));
    },
  ),
];
