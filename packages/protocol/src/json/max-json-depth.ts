/** How deep arrays and objects may be nested, so that no value can exhaust the stack of who reads it back. */
export const MAX_JSON_DEPTH = 500;

/**
 * The same for a whole session document, which holds messages and metadata some levels down (at most six, in an
 * operation: `document.commits.entries[0].receipt[0]`). What a session holds must be importable again.
 */
export const MAX_DOCUMENT_DEPTH: number = MAX_JSON_DEPTH + 8;
