/** A store as an object: its kind or its URL, and options. */
export interface StoreObject {
  /** `file`, `sqlite`, `redis`, `memory`, or your own kind. */
  readonly store?: string | undefined;
  /** A URL, in place of `store` or of the options that the URL contains. */
  readonly url?: string | undefined;
  /** Options of that kind of store. */
  readonly [option: string]: unknown;
}

/** A store: a URL such as `sqlite:./sessions.db?search=true`, or an object. */
export type StoreTarget = string | StoreObject;
