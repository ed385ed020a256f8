const MAX_ERROR_CHARS = 8192;

/**
 * The text to store for a thrown value: its name and message, cut at 8192 characters. Never throws, even if reading the
 * error's fields does.
 */
export function errorText(error: unknown): string {
  const text = wholeText(error);
  if (text.length <= MAX_ERROR_CHARS) return text;
  return `${text.slice(0, MAX_ERROR_CHARS)}… (${text.length - MAX_ERROR_CHARS} more characters)`;
}

function wholeText(error: unknown): string {
  try {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  } catch {
    // An object without a prototype, or an error whose message is a getter that throws.
    return "An error that has no text.";
  }
}
