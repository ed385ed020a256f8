/** Everything that links a message to another one. An id that is repeated in the message is repeated here. */
export interface MessageLinks {
  /** Ids of tool calls made. */
  readonly calls: readonly string[];
  /** Ids of tool calls answered. */
  readonly results: readonly string[];
  /** The calls that the provider itself runs and answers. */
  readonly providerRun: readonly string[];
  /** Ids of approvals asked for. */
  readonly asked: readonly string[];
  /** Ids of approvals granted or refused. */
  readonly decided: readonly string[];
  /**
   * An OpenAI reasoning item. The provider refuses it without the item after it, and that item without it.
   */
  readonly reasoning: boolean;
}

/** The links of a message while they are collected. */
export interface LinkCollector extends MessageLinks {
  readonly calls: string[];
  readonly results: string[];
  readonly providerRun: string[];
  readonly asked: string[];
  readonly decided: string[];
  reasoning: boolean;
}

/** An empty collector. */
export function noLinksYet(): LinkCollector {
  return {
    calls: [],
    results: [],
    providerRun: [],
    asked: [],
    decided: [],
    reasoning: false,
  };
}

/** Adds an id if there is one. A call without an id cannot be answered by another message. */
export function addId(ids: string[], id: string | undefined): void {
  if (id !== undefined) ids.push(id);
}
