import { type AgentEvent, pause } from "@sessions/turn-runner";
import { Connection } from "../endpoint/connection.js";
import { EndpointFailures } from "../endpoint/endpoint-failures.js";
import { retryDelay } from "../endpoint/retry-delay.js";
import { EndpointError } from "../endpoint-error.js";
import type { Settings } from "../settings.js";
import { ModelAnswer } from "./model-answer.js";

/** One request to the model. */
export interface ModelRequest {
  readonly model: string;
  readonly body: string;
  readonly signal: AbortSignal;
}

/**
 * Sends a request, yields the answer's events as they come, and returns the whole answer. A request that fails before its first
 * event is sent again. A later failure is not retried: text that was yielded cannot be taken back.
 */
export async function* askModel(
  settings: Settings,
  request: ModelRequest,
): AsyncGenerator<AgentEvent, ModelAnswer> {
  for (let failed = 1; ; failed++) {
    const failures = new EndpointFailures(settings, request.model);
    const answer = new ModelAnswer(failures);
    try {
      yield* receive(new Connection(settings, failures, request.signal), request.body, answer);
    } catch (error) {
      const delay = answer.hasYielded ? undefined : delayAfter(error, failed, settings);
      if (delay === undefined) return yield* failing(answer, error);
      await pause(settings.clock, delay, request.signal);
      continue;
    }
    yield* answer.usage();
    return answer;
  }
}

async function* receive(
  connection: Connection,
  body: string,
  answer: ModelAnswer,
): AsyncGenerator<AgentEvent> {
  try {
    for await (const data of connection.answer(body)) {
      yield* answer.take(data);
      if (answer.isFinished) connection.finishing();
    }
  } catch (error) {
    // After the finish reason only the usage can be missing.
    if (!answer.isFinished || !EndpointError.is(error, "CUT_OFF", "TIMEOUT")) throw error;
  }
  answer.requireWhole();
}

function delayAfter(error: unknown, failed: number, { retries, random }: Settings): number | undefined {
  return failed <= retries && EndpointError.is(error) ? retryDelay(error, failed, random) : undefined;
}

/** Usage counts even if the answer failed. */
function* failing(answer: ModelAnswer, error: unknown): Generator<AgentEvent, never> {
  yield* answer.usage();
  throw error;
}
