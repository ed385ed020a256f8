/** The last time that Redis takes for an expiry, and JavaScript for a date. */
const END_OF_TIME = 8.64e15;

/** Redis counts in whole milliseconds; callers need not. */
export function expiryText(time: number): string {
  return time >= END_OF_TIME ? "" : String(Math.max(1, Math.ceil(time)));
}
