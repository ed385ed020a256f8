/** Any JSON value. Everything in a session is JSON, and is read as the same JSON that was written. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. Keys keep their order. `__proto__` is a key like any other. */
export interface JsonObject {
  readonly [key: string]: Json;
}
