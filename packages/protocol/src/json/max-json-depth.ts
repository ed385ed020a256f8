/** How deep arrays and objects may be nested, so that no value can exhaust the stack of who reads it back. */
export const MAX_JSON_DEPTH = 500;
