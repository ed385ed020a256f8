import type { OptionNames } from "../arguments/options.js";
import type { MessageInput } from "../message/message-input.js";

/** How a session begins. */
export interface SessionInit {
  readonly title?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly metadata?: object | undefined;
  readonly counters?: Readonly<Record<string, number>> | undefined;
  readonly messages?: readonly MessageInput[] | undefined;
  /** When it ends. */
  readonly expiresAt?: number | Date | undefined;
  /** How long it lasts from now on, in milliseconds, by the time of the commit. Not together with `expiresAt`. */
  readonly expiresIn?: number | undefined;
  /** Every commit and every renewal of a turn begins `expiresIn` anew. @default false */
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

/** Changes to what describes a session. `null` removes. */
export interface SessionPatch {
  readonly title?: string | null | undefined;
  readonly labels?: Readonly<Record<string, string | null>> | undefined;
  readonly metadata?: object | undefined;
  /** An absolute end, or none: takes the place of a relative one. */
  readonly expiresAt?: number | Date | null | undefined;
  /** How long it lasts from now on, in milliseconds; `null`: for ever. Not together with `expiresAt`. */
  readonly expiresIn?: number | null | undefined;
  /** Whether every commit and every renewal of a turn begins `expiresIn` anew. `false` leaves the present end. */
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
