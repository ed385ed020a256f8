import type { OptionNames } from "../arguments/options.js";
import type { MessageInput } from "../message/message-input.js";

/** The first content of a session. */
export interface SessionInit {
  readonly title?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly metadata?: object | undefined;
  readonly counters?: Readonly<Record<string, number>> | undefined;
  readonly messages?: readonly MessageInput[] | undefined;
  /** When it expires. */
  readonly expiresAt?: number | Date | undefined;
  /** When it expires, in milliseconds from the time of the commit. Not together with `expiresAt`. */
  readonly expiresIn?: number | undefined;
  /** Every commit and every renewal of a turn restarts `expiresIn`. @default false */
  readonly renewOnUse?: boolean | undefined;
}

export const SESSION_INIT: OptionNames<SessionInit> = {
  title: true,
  labels: true,
  metadata: true,
  counters: true,
  messages: true,
  expiresAt: true,
  expiresIn: true,
  renewOnUse: true,
};

/** Changes to the descriptive fields of a session. `null` removes. */
export interface SessionPatch {
  readonly title?: string | null | undefined;
  readonly labels?: Readonly<Record<string, string | null>> | undefined;
  readonly metadata?: object | undefined;
  /** An absolute expiry. It replaces a relative one. `null`: the session never expires. */
  readonly expiresAt?: number | Date | null | undefined;
  /** When it expires, in milliseconds from the time of the commit. `null`: never. Not together with `expiresAt`. */
  readonly expiresIn?: number | null | undefined;
  /** Whether every commit and every renewal of a turn restarts `expiresIn`. `false` keeps the current expiry. */
  readonly renewOnUse?: boolean | undefined;
}

export const SESSION_PATCH: OptionNames<SessionPatch> = {
  title: true,
  labels: true,
  metadata: true,
  expiresAt: true,
  expiresIn: true,
  renewOnUse: true,
};
