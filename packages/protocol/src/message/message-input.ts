interface KnownMessageInput {
  readonly role: string;
  /** Generated if absent. The same `commitId` generates the same ids. */
  readonly id?: string | undefined;
  readonly content?: unknown;
  /** Milliseconds since the epoch. The time of the commit if absent. */
  readonly createdAt?: number | undefined;
  readonly status?: "partial" | "interrupted" | undefined;
  readonly metadata?: unknown;
}

/**
 * A message as callers pass it: loosely typed, validated at run time. AI SDK `ModelMessage` and `UIMessage`, OpenAI chat
 * messages and your own interfaces are accepted as they are. Every JSON field is kept.
 */
// The first member accepts interfaces, which have no index signature. The second accepts literals with more fields.
export type MessageInput = KnownMessageInput | (KnownMessageInput & { readonly [field: string]: unknown });
