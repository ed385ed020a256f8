const MAX_CHARS = 8192;

/**
 * The words of whatever was thrown, cut at 8192 characters. Never throws itself, whatever the error's own fields do. Some
 * errors have no message: then their code or name.
 */
export function thrownText(error: unknown): string {
  const text = wholeText(error);
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text;
}

function wholeText(error: unknown): string {
  try {
    if (!(error instanceof Error)) return String(error);
    return String(error.message || ("code" in error ? error.code : error.name));
  } catch {
    return "An error that has no text.";
  }
}

/** What an error says that it was caused by; what went wrong where it cannot even be asked. */
export function causeOf(error: unknown): unknown {
  try {
    return error instanceof Error ? error.cause : undefined;
  } catch (unreadable) {
    return unreadable;
  }
}
