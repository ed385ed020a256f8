import type { Message } from "../message/message.js";

/** Messages that an engine keeps: the beginning of a history that is not in memory. Positions are from 0 to `length`. */
export interface HistorySource {
  readonly length: number;
  message(position: number): Message | undefined;
  revision(position: number): number | undefined;
  messages(from: number, to: number): Message[];
  revisions(from: number, to: number): number[];
  positionOf(id: string): number | undefined;
}
