import type { MessageDraft } from "../message.js";
import { LinkMatcher, type LinkStart, type Pair } from "./link-matcher.js";
import { NO_LINKS, readMessageLinks } from "./read-message-links.js";

/** How the messages of a list are linked. */
export interface Pairing {
  /** Calls with their results, approvals with their decisions, reasoning items with the item after them. */
  readonly pairs: readonly Pair[];
  /** The position of the last message with an answer whose call is not in the list; -1 if there is none. */
  readonly lastOrphan: number;
  /** Calls that no message answers, in order. */
  readonly openCalls: readonly LinkStart[];
  /** Calls that the provider itself runs and answers, by the position of their message. */
  readonly providerRun: ReadonlyMap<number, ReadonlySet<string>>;
  /** Approvals that no message decides, in order. */
  readonly openApprovals: readonly LinkStart[];
  /** Positions of reasoning items without a following item. */
  readonly loneReasoning: readonly number[];
}

// After an aborted response, the message after a reasoning item is the user's next one. Linking them would pull an item
// into the window that the provider refuses.
const NOT_FROM_THE_MODEL: ReadonlySet<string> = new Set(["user", "system", "developer"]);

/** Finds the messages that must stay together, in linear time. */
export function pairMessages(messages: readonly MessageDraft[]): Pairing {
  const calls = new LinkMatcher();
  const approvals = new LinkMatcher();
  const providerRun = new Map<number, ReadonlySet<string>>();
  const reasoning: number[] = [];
  for (const [index, message] of messages.entries()) {
    const links = readMessageLinks(message);
    if (links === NO_LINKS) continue;
    calls.addMessage(index, links.calls, links.results);
    approvals.addMessage(index, links.asked, links.decided);
    if (links.providerRun.length > 0) providerRun.set(index, new Set(links.providerRun));
    if (links.reasoning) reasoning.push(index);
  }
  const followed = (index: number): boolean => isModelOutput(messages[index + 1]);
  return {
    pairs: [...calls.pairs, ...approvals.pairs, ...reasoning.filter(followed).map(withNext)],
    lastOrphan: Math.max(calls.lastOrphan, approvals.lastOrphan),
    openCalls: calls.starts.filter(isOpen),
    providerRun,
    openApprovals: approvals.starts.filter(isOpen),
    loneReasoning: reasoning.filter((index) => !followed(index)),
  };
}

function isModelOutput(message: MessageDraft | undefined): boolean {
  return message !== undefined && !NOT_FROM_THE_MODEL.has(message.role);
}

function withNext(index: number): Pair {
  return [index, index + 1];
}

function isOpen(start: LinkStart): boolean {
  return !start.answered;
}
