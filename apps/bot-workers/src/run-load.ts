import type { Message } from "@sessions/json-file";
import { Fleet } from "./fleet.js";
import { Front } from "./front.js";
import type { Options } from "./options.js";
import { makePlan, type Plan } from "./plan.js";
import { type Delivered, Platform } from "./platform.js";
import {
  conversations,
  makePlace,
  openPlace,
  placeName,
  removePlace,
  type SessionsPlace,
} from "./sessions-place.js";
import { type Tally, tallyUp } from "./tally.js";

/** The result of a run. `--json` prints it. */
export interface Report extends Tally {
  /** The kind of store. */
  readonly store: string;
  readonly seed: number;
  readonly workers: number;
  readonly users: number;
  readonly deliveries: number;
  readonly redelivered: number;
  readonly kills: number;
  readonly seconds: number;
  readonly verdict: "sound" | "violated" | "interrupted";
  /** The location of the sessions, if they are kept. */
  readonly kept?: string;
}

/** The program of a worker. A test may pass another one. */
const WORKER = new URL("./worker.js", import.meta.url);

/** Runs the bot under load and checks every update. */
export async function runLoad(
  options: Options,
  say: (text: string) => void,
  signal: AbortSignal,
  program: URL = WORKER,
): Promise<Report> {
  const place = await makePlace(options.store);
  let isKept = options.keep;
  try {
    const started = performance.now();
    const plan = makePlan(options, options.seed);
    const { delivered, kills } = await underLoad(place, program, plan, options, say, signal);
    const seconds = (performance.now() - started) / 1000;
    say("reading every session");
    const tally = tallyUp(plan.updates, delivered, await storedMessages(place));
    const isSound = tally.lost + tally.doubled === 0;
    isKept ||= !isSound && !signal.aborted;
    const { deliveries, redelivered } = delivered;
    return {
      ...tally,
      store: place.kind,
      seed: options.seed,
      workers: options.workers,
      users: options.users,
      deliveries,
      redelivered,
      kills,
      seconds,
      verdict: signal.aborted ? "interrupted" : isSound ? "sound" : "violated",
      ...(isKept ? { kept: placeName(place) } : {}),
    };
  } finally {
    if (!isKept) await removePlace(place);
  }
}

async function underLoad(
  place: SessionsPlace,
  program: URL,
  plan: Plan,
  options: Options,
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<{ readonly delivered: Delivered; readonly kills: number }> {
  const fleet = await Fleet.start(program, place, options.workers);
  const killing: Promise<void>[] = [];
  try {
    const front = await Front.open(fleet);
    const every = options.updates / (options.kills + 1);
    const onAnswer = (answered: number): void => {
      say(`${answered} of ${options.updates} answered, ${fleet.kills} workers killed`);
      const isDue = killing.length < options.kills && answered >= every * (killing.length + 1);
      if (isDue) killing.push(fleet.killBusiest());
    };
    try {
      const platform = new Platform(front.url, onAnswer);
      const delivered = await platform.deliver(plan.deliveries, options.atOnce, signal);
      await Promise.all(killing);
      return { delivered, kills: fleet.kills };
    } finally {
      await front.close();
    }
  } finally {
    await Promise.allSettled(killing);
    await fleet.end();
  }
}

async function storedMessages(place: SessionsPlace): Promise<readonly Message[]> {
  await using store = await openPlace(place);
  const messages: Message[] = [];
  for await (const { id } of conversations(store, place))
    messages.push(...((await store.getSession(id))?.messages ?? []));
  return messages;
}
