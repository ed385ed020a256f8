/** Everything in a message that ties it to another. An id that is repeated in the message is repeated here. */
export interface MessageLinks {
  /** Ids of tool calls made. */
  readonly calls: readonly string[];
  /** Ids of tool calls answered. */
  readonly results: readonly string[];
  /** Those of the calls that the provider itself runs and answers. */
  readonly providerRun: readonly string[];
  /** Ids of approvals asked for. */
  readonly asked: readonly string[];
  /** Ids of approvals given or refused. */
  readonly decided: readonly string[];
  /**
   * An OpenAI reasoning item: refused by the provider without the item after it, as that one is without it.
   */
  readonly reasoning: boolean;
}

/** The links of a message while they are being read. */
export interface LinkCollector extends MessageLinks {
  readonly calls: string[];
  readonly results: string[];
  readonly providerRun: string[];
  readonly asked: string[];
  readonly decided: string[];
  reasoning: boolean;
}

/** A collector with nothing in it. */
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

/** Adds an id where there is one: a call without an id cannot be answered by another message. */
export function addId(ids: string[], id: string | undefined): void {
  if (id !== undefined) ids.push(id);
}
