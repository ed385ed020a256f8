import { setImmediate as nextTask } from "node:timers/promises";
import type { Runs } from "@sessions/protocol/backend";
import { type MessageRows, ROWS_AT_ONCE } from "./message-rows.js";
import { RowsNeeded } from "../rows-needed.js";
import type { Transactions } from "../engine/transactions.js";

/** After so many attempts everything is read at once: others change the session faster than it can be read in parts. */
const PATIENT_TRIES = 8;

interface FaultContext {
  readonly rows: MessageRows;
  readonly transactions: Transactions;
}

/** Runs the part of an attempt that may need many rows. */
export type Whole = <Value>(work: () => Value) => Value;

/**
 * Runs something that may need many rows. If it does, they are read in parts, with turns for the event loop in between, and
 * it is run again: then they are in memory. So whatever it comes to is of one moment.
 */
export async function faultIn<Result>(
  context: FaultContext,
  attempt: (whole: Whole) => Promise<Result>,
): Promise<Result> {
  const release = context.rows.cache.hold();
  try {
    for (let tries = 0; ; tries++) {
      try {
        return await attempt((work) => reading(context.rows, tries < PATIENT_TRIES, work));
      } catch (error) {
        if (!(error instanceof RowsNeeded)) throw error;
        await preload(context, error.runs);
      }
    }
  } finally {
    release();
  }
}

function reading<Value>(rows: MessageRows, patient: boolean, work: () => Value): Value {
  rows.patient = patient;
  try {
    return work();
  } finally {
    rows.patient = true;
  }
}

async function preload({ rows, transactions }: FaultContext, runs: Runs): Promise<void> {
  for (let from = 0; from < runs.length; from += ROWS_AT_ONCE) {
    const some = runs.slice(from, from + ROWS_AT_ONCE);
    await transactions.read(() => rows.load(some));
    await nextTask();
  }
}
