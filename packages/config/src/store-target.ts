/** A store as an object: its kind or its URL, and options. */
export interface StoreObject {
  /** `file`, `sqlite`, `redis`, `memory`, or a kind of your own. */
  readonly store?: string | undefined;
  /** Instead of `store`, or for what the URL says. */
  readonly url?: string | undefined;
  /** Options of that kind of store. */
  readonly [option: string]: unknown;
}

/** Which store: a URL such as `sqlite:./sessions.db?search=true`, or an object. */
export type StoreTarget = string | StoreObject;
