import type { Message } from "@sessions/protocol/backend";

/** The stored messages that a history begins with. Positions are from 0 to `length`. */
export interface HistorySource {
  readonly length: number;
  message(position: number): Message | undefined;
  /** The revision that added the message at a position. */
  revision(position: number): number | undefined;
  messages(from: number, to: number): Message[];
  revisions(from: number, to: number): number[];
  positionOf(messageId: string): number | undefined;
}
