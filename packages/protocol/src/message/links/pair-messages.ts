import type { MessageDraft } from "../message.js";
import { LinkMatcher, type LinkStart, type Pair } from "./link-matcher.js";
import { NO_LINKS, readMessageLinks } from "./read-message-links.js";

/** How the messages of a list hang together. */
export interface Pairing {
  /** Calls with their results, approvals with their decisions, reasoning items with the item after them. */
  readonly pairs: readonly Pair[];
  /** The last message with an answer whose call is not in the list; -1 if there is none. */
  readonly lastOrphan: number;
  /** Calls that no message answers, in order. */
  readonly openCalls: readonly LinkStart[];
  /** Calls that the provider itself runs and answers, by the position of their message. */
  readonly providerRun: ReadonlyMap<number, ReadonlySet<string>>;
  /** Approvals that no message decides, in order. */
  readonly openApprovals: readonly LinkStart[];
  /** Reasoning items whose following item is not there. */
  readonly loneReasoning: readonly number[];
}

// An aborted response leaves its reasoning item behind, and what follows is the user's next message. Tied
// together they would only drag an item that the provider refuses into the window.
const NOT_FROM_THE_MODEL: ReadonlySet<string> = new Set(["user", "system", "developer"]);

/** Finds everything that must stay together. Takes time in proportion to the messages. */
export function pairMessages(messages: readonly MessageDraft[]): Pairing {
  const calls = new LinkMatcher();
  const approvals = new LinkMatcher();
  const providerRun = new Map<number, ReadonlySet<string>>();
  const reasoning: number[] = [];
  for (const [index, message] of messages.entries()) {
    const links = readMessageLinks(message);
    if (links === NO_LINKS) continue;
    calls.enter(index, links.calls, links.results);
    approvals.enter(index, links.asked, links.decided);
    if (links.providerRun.length > 0) providerRun.set(index, new Set(links.providerRun));
    if (links.reasoning) reasoning.push(index);
  }
  const followed = (index: number): boolean => isModelOutput(messages[index + 1]);
  return {
    pairs: [...calls.pairs, ...approvals.pairs, ...reasoning.filter(followed).map(withNext)],
    lastOrphan: Math.max(calls.lastOrphan, approvals.lastOrphan),
    openCalls: calls.openings.filter(isOpen),
    providerRun,
    openApprovals: approvals.openings.filter(isOpen),
    loneReasoning: reasoning.filter((index) => !followed(index)),
  };
}

function isModelOutput(message: MessageDraft | undefined): boolean {
  return message !== undefined && !NOT_FROM_THE_MODEL.has(message.role);
}

function withNext(index: number): Pair {
  return [index, index + 1];
}

function isOpen(opening: LinkStart): boolean {
  return !opening.answered;
}
