import type { AgentEvent } from "../agent-event.js";
import { Answer } from "./answer.js";
import { Connection } from "./connection.js";
import { EndpointError } from "./endpoint-error.js";
import { Failures } from "./failures.js";
import { retryDelay } from "./retry-delay.js";
import type { Settings } from "./settings.js";
import { pause } from "./within.js";

/** One request to the model. */
export interface Question {
  readonly model: string;
  readonly body: string;
  readonly signal: AbortSignal;
}

/**
 * Asks the model, tells what it says as it says it, and returns the whole answer. What fails before anything was told is
 * tried again; a half-told answer is not, because nobody could take back its words.
 */
export async function* askModel(settings: Settings, question: Question): AsyncGenerator<AgentEvent, Answer> {
  for (let failed = 1; ; failed++) {
    const failures = new Failures(settings, question.model);
    const answer = new Answer(failures);
    try {
      yield* listen(new Connection(settings, failures, question.signal), question.body, answer);
    } catch (error) {
      const delay = answer.told ? undefined : delayAfter(error, failed, settings);
      if (delay === undefined) return yield* failing(answer, error);
      await pause(delay, { clock: settings.clock, signal: question.signal });
      continue;
    }
    yield* answer.usage();
    return answer;
  }
}

async function* listen(connection: Connection, body: string, answer: Answer): AsyncGenerator<AgentEvent> {
  try {
    for await (const data of connection.answer(body)) {
      yield* answer.take(data);
      if (answer.finished) connection.finishing();
    }
  } catch (error) {
    // Once the model has said that it has finished, only usage can still be missing.
    if (!answer.finished || !EndpointError.is(error, "CUT_OFF", "TIMEOUT")) throw error;
  }
  answer.requireWhole();
}

function delayAfter(error: unknown, failed: number, { retries, random }: Settings): number | undefined {
  return failed <= retries && EndpointError.is(error) ? retryDelay(error, failed, random) : undefined;
}

/** What was used was used, also by an answer that came to nothing. */
function* failing(answer: Answer, error: unknown): Generator<AgentEvent, never> {
  yield* answer.usage();
  throw error;
}
