/**
 * JSON in memory: an object may have properties that are `undefined`, which count as absent.
 * Every `Json` is one, and so is every message.
 */
export type JsonLike = null | boolean | number | string | readonly JsonLike[] | JsonLikeObject;

/** An object of `JsonLike` values. */
export interface JsonLikeObject {
  readonly [key: string]: JsonLike | undefined;
}
