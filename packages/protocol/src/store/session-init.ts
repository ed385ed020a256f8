import type { MessageInput } from "../message/message-input.js";

/** How a session begins. */
export interface SessionInit {
  readonly title?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly metadata?: object | undefined;
  readonly counters?: Readonly<Record<string, number>> | undefined;
  readonly messages?: readonly MessageInput[] | undefined;
  readonly expiresAt?: number | Date | undefined;
}

/** Changes to what describes a session. `null` removes. */
export interface SessionPatch {
  readonly title?: string | null | undefined;
  readonly labels?: Readonly<Record<string, string | null>> | undefined;
  readonly metadata?: object | undefined;
  readonly expiresAt?: number | Date | null | undefined;
}
