import {
  Damage,
  type Finding,
  type LiveState,
  type LoopShare,
  type Verification,
} from "@sessions/protocol/backend";
import { type Runs, storedRunsOf } from "@sessions/row-engine";
import { isDamage } from "../error-mapping.js";
import type { MessageRows } from "../session/message-rows.js";

interface VerifyContext {
  readonly messages: MessageRows;
  readonly path: string;
  readonly share: LoopShare;
  /** The session as it is on the disk now. */
  readonly read: () => Promise<LiveState | undefined>;
  /** Rejects with `Damage` if rows of it are missing that are not read by number. */
  readonly requireComplete: () => Promise<void>;
  /** How many of its messages can be read. */
  readonly countReadable: () => Promise<number>;
}

/** Others may change a session while it is read in slices: what they removed is not missing. */
const MAX_ATTEMPTS = 10;
const ROWS_PER_SLICE = 50;

/** Reads everything of a session from the disk and checks it. */
export async function verifySession(
  context: VerifyContext,
  sessionId: string,
): Promise<Verification | undefined> {
  for (let attempt = 1; ; attempt++) {
    const state = await context.read();
    if (state === undefined) return undefined;
    const verification = await verify(context, sessionId, state);
    if (verification.ok || attempt === MAX_ATTEMPTS) return verification;
    if ((await context.read())?.revision === state.revision) return verification;
  }
}

async function verify(context: VerifyContext, sessionId: string, state: LiveState): Promise<Verification> {
  const findings = [...(await checkCompleteness(context)), ...checkMemories(state, context.path)];
  for (const history of [state.history, ...state.snapshots.map((snapshot) => snapshot.history)])
    findings.push(...(await checkRows(context, storedRunsOf(history))));
  return {
    sessionId,
    ok: findings.length === 0,
    revision: state.revision,
    messages: findings.length === 0 ? state.history.messages.length : await context.countReadable(),
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
      memory.toDocument();
    } catch (error) {
      yield findingOf(error, path);
    }
  }
}

async function checkRows({ messages, path, share }: VerifyContext, runs: Runs): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (let from = 0; from < runs.length; from += ROWS_PER_SLICE) {
    for (const run of runs.slice(from, from + ROWS_PER_SLICE).list) {
      try {
        for (const error of messages.damageIn(run.from, run.to)) findings.push(findingOf(error, path));
      } catch (error) {
        findings.push(findingOf(error, path));
      }
    }
    await share.continue();
  }
  return findings;
}

function findingOf(error: unknown, path: string): Finding {
  if (!isDamage(error)) throw error;
  const location = error instanceof Damage ? `${path}, ${error.location}` : path;
  return { severity: "harmful", detail: error instanceof Error ? error.message : String(error), location };
}
