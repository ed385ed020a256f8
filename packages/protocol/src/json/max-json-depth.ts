/** How deep arrays and objects may be nested. Code that reads a value recursively must not exhaust the stack. */
export const MAX_JSON_DEPTH = 500;

/**
 * The same for a session document, which contains messages and metadata at most six levels down (in an operation:
 * `document.commits.entries[0].receipt[0]`). Every exported session must be importable again.
 */
export const MAX_DOCUMENT_DEPTH: number = MAX_JSON_DEPTH + 8;
