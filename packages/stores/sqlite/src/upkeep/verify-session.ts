import { setImmediate as nextTask } from "node:timers/promises";
import type { Runs } from "@sessions/protocol/backend";
import {
  Damage,
  type Finding,
  type LiveState,
  memoryLayersOf,
  type Verification,
} from "@sessions/protocol/backend";
import { isDamage } from "../error-mapping.js";
import { type MessageRows, ROWS_AT_ONCE } from "../session/message-rows.js";
import { runsOf } from "../runs-of.js";

interface VerifyContext {
  readonly rows: MessageRows;
  readonly path: string;
  /** The session as it is now, from the disk. */
  readonly read: () => Promise<LiveState | undefined>;
  /** Rejects with `Damage` if rows of it are gone that are not read by number. */
  readonly requireComplete: () => Promise<void>;
}

/** Others may change a session while it is read in parts: what they removed is not missing. */
const ATTEMPTS = 10;

/** Reads everything of a session from the disk and checks it. */
export async function verifySession(
  context: VerifyContext,
  sessionId: string,
): Promise<Verification | undefined> {
  for (let attempt = 1; ; attempt++) {
    const state = await context.read();
    if (state === undefined) return undefined;
    const verification = await verified(context, sessionId, state);
    if (verification.ok || attempt === ATTEMPTS) return verification;
    if ((await context.read())?.revision === state.revision) return verification;
  }
}

async function verified(context: VerifyContext, sessionId: string, state: LiveState): Promise<Verification> {
  const findings = [...(await checkCompleteness(context)), ...checkMemories(state, context.path)];
  for (const history of [state.history, ...state.snapshots.map((snapshot) => snapshot.history)]) {
    findings.push(...(await checkRows(context, runsOf(history))));
  }
  return {
    sessionId,
    ok: findings.length === 0,
    revision: state.revision,
    messages: state.history.messages.length,
    findings: [...new Map(findings.map((finding) => [finding.location, finding])).values()],
  };
}

async function checkCompleteness({ requireComplete, path }: VerifyContext): Promise<readonly Finding[]> {
  try {
    await requireComplete();
    return [];
  } catch (error) {
    return [findingOf(error, path)];
  }
}

function* checkMemories({ commits, finishedTurns }: LiveState, path: string): Generator<Finding> {
  for (const memory of [commits.given, commits.generated, finishedTurns]) {
    try {
      memoryLayersOf(memory).source?.entries();
    } catch (error) {
      yield findingOf(error, path);
    }
  }
}

async function checkRows({ rows, path }: VerifyContext, runs: Runs): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (let from = 0; from < runs.length; from += ROWS_AT_ONCE) {
    for (const run of runs.slice(from, from + ROWS_AT_ONCE).list) {
      try {
        for (const error of rows.damageIn(run.from, run.to)) findings.push(findingOf(error, path));
      } catch (error) {
        findings.push(findingOf(error, path));
      }
    }
    await nextTask();
  }
  return findings;
}

function findingOf(error: unknown, path: string): Finding {
  if (!isDamage(error)) throw error;
  const location = error instanceof Damage ? `${path}, ${error.location}` : path;
  return { severity: "harmful", detail: error instanceof Error ? error.message : String(error), location };
}
