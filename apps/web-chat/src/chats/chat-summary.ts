/** A chat in the list of the page. */
export interface ChatSummary {
  readonly id: string;
  /** Absent until the chat has a question. */
  readonly title?: string;
  readonly revision: number;
  /** Whether some process is writing an answer now. */
  readonly isAnswering: boolean;
}

/** What the page shows beside the open chat. */
export interface ChatList {
  /** The chats that changed last, newest first. */
  readonly chats: readonly ChatSummary[];
  /** Whether there are older ones. */
  readonly hasMore: boolean;
  /** The open chat, also if it is older than those in the list. */
  readonly open: ChatSummary | "absent" | "damaged";
}

export const MAX_TITLE_CHARACTERS = 200;
