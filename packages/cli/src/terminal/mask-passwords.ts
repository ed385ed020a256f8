/**
 * A text without the passwords of URLs in it, whoever put them there: an argument in the wrong place is shown by the
 * message that says so.
 */
export function maskPasswords(text: string): string {
  return text
    .replace(/([?&][^=&\s]*(?:password|secret|token)[^=&\s]*=)[^&\s'"]*/gi, "$1***")
    .replace(/\b([a-z][a-z0-9+.-]*:\/\/[^\s:/@]*):[^\s]*@/gi, "$1:***@");
}
