import type { MessageInput } from "@sessions/protocol";
import type { AgentEvent, RunnerTurn } from "@sessions/turn-runner";
import type { BotUpdate } from "./bot-update.js";

/** What a bot is asked: all that a model needs, and the update itself. */
export interface BotTurn extends RunnerTurn {
  readonly update: BotUpdate;
}

/** A conversation that an agent rewrote as a whole: shortened, corrected, with its answer at the end. */
export interface RewrittenHistory {
  readonly history: readonly MessageInput[];
}

/**
 * What a bot answers: text, new messages, events as they come, a rewritten history, or nothing. An array that has
 * messages of the history in it counts as a rewritten one.
 */
export type BotAnswer =
  | string
  | MessageInput
  | readonly MessageInput[]
  | RewrittenHistory
  | AsyncIterable<AgentEvent>
  | undefined;

/** Answers an update. Any runner of `@sessions/managed-agent` is one. What it throws ends the turn as failed. */
export type Respond = (turn: BotTurn) => BotAnswer | Promise<BotAnswer>;
