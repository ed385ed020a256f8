interface KnownMessageInput {
  readonly role: string;
  /** Generated where absent; the same `commitId` generates the same ids. */
  readonly id?: string | undefined;
  readonly content?: unknown;
  /** Milliseconds since the epoch; the time of the commit where absent. */
  readonly createdAt?: number | undefined;
  readonly status?: "partial" | "interrupted" | undefined;
  readonly metadata?: unknown;
}

/**
 * A message as callers give it: loose for the compiler, validated at run time. AI SDK `ModelMessage` and
 * `UIMessage`, OpenAI chat messages and your own interfaces are accepted as they are; every JSON field is kept.
 */
// The first member takes interfaces (which have no index signature), the second takes literals with more fields.
export type MessageInput = KnownMessageInput | (KnownMessageInput & { readonly [field: string]: unknown });
