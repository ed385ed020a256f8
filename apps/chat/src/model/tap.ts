import type { AgentEvent, Runner, RunnerTurn } from "@sessions/managed-agent";

/** Hears what a runner tells, as it tells it. A retried turn has no stream of its own to listen to. */
export class Tap {
  #listener: ((event: AgentEvent) => void) | undefined;

  /** The same runner, heard. */
  on(runner: Runner): Runner {
    return (turn) => this.#heard(runner, turn);
  }

  /** Listens while `work` goes on. */
  async during<Result>(listener: (event: AgentEvent) => void, work: () => Promise<Result>): Promise<Result> {
    this.#listener = listener;
    try {
      return await work();
    } finally {
      this.#listener = undefined;
    }
  }

  async *#heard(runner: Runner, turn: RunnerTurn): AsyncIterable<AgentEvent> {
    for await (const event of runner(turn)) {
      this.#listener?.(event);
      yield event;
    }
  }
}
