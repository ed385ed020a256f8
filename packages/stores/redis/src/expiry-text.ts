/** The last time that Redis takes for an expiry, and JavaScript for a date. */
const END_OF_TIME = 8.64e15;

/**
 * What a server is told, so that a key is gone from this time on. Redis counts in whole milliseconds, which callers need not, and still
 * shows a key in the very millisecond that it was told.
 */
export function expiryText(time: number): string {
  return time >= END_OF_TIME ? "" : String(Math.max(1, Math.ceil(time) - 1));
}
