/** Any JSON value. What goes into a session is JSON, and comes out as the same JSON. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. Keys keep their order; `__proto__` is a key like any other. */
export interface JsonObject {
  readonly [key: string]: Json;
}
