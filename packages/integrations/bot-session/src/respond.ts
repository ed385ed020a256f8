import type { MessageInput } from "@sessions/protocol";
import type { AgentEvent, RunnerTurn } from "@sessions/turn-runner";
import type { BotUpdate } from "./bot-update.js";

/** The input of `respond`: all that a model needs, and the update itself. */
export interface BotTurn extends RunnerTurn {
  readonly update: BotUpdate;
}

/** A conversation that an agent rewrote as a whole: shortened, corrected, with its answer at the end. */
export interface RewrittenHistory {
  readonly history: readonly MessageInput[];
}

/**
 * A bot's answer: text, new messages, events as they come, a rewritten history, or nothing. An array that contains messages of the
 * history counts as a rewritten history.
 */
export type BotAnswer =
  | string
  | MessageInput
  | readonly MessageInput[]
  | RewrittenHistory
  | AsyncIterable<AgentEvent>
  | undefined;

/** Answers an update. Any runner of a managed agent is one. An error that it throws ends the turn as failed. */
export type Respond = (turn: BotTurn) => BotAnswer | Promise<BotAnswer>;
