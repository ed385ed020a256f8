/**
 * A text in which the passwords of URLs are masked. They may be anywhere: an error message quotes an argument in the wrong
 * position.
 */
export function maskPasswords(text: string): string {
  return text
    .replace(/([?&][^=&\s]*(?:password|secret|token)[^=&\s]*=)[^&\s'"]*/gi, "$1***")
    .replace(/\b([a-z][a-z0-9+.-]*:\/\/[^\s:/@]*):[^\s]*@/gi, "$1:***@");
}
