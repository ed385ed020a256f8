const DAY_MS = 86_400_000;

/**
 * The last time, at or before `now`, at which clocks in a time zone showed this hour. On a day that skips the hour it is the time at
 * which the hour would have been; on a day that has it twice, the first one.
 */
export function dayStart(now: number, hour: number, timeZone: string): number {
  const today = Math.floor(localTime(now, timeZone) / DAY_MS);
  for (let day = today; ; day--) {
    const at = timeOf(day * DAY_MS + hour * 3_600_000, timeZone);
    if (at <= now) return at;
  }
}

/** The time at which clocks in a time zone show a local time; both in milliseconds. */
function timeOf(local: number, timeZone: string): number {
  const before = local - offset(local - DAY_MS, timeZone);
  const after = local - offset(local + DAY_MS, timeZone);
  const right = [before, after].filter((time) => localTime(time, timeZone) === local);
  return right.length === 0 ? before : Math.min(...right);
}

function offset(time: number, timeZone: string): number {
  return localTime(time, timeZone) - Math.floor(time / 1000) * 1000;
}

/** The local time of a time zone, as if it were UTC, in whole seconds. */
function localTime(time: number, timeZone: string): number {
  const parts = formatOf(timeZone).formatToParts(time);
  const part = (type: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find((one) => one.type === type)?.value);
  return Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Cached: making a format is slow, and a bot has a single time zone. Throws a RangeError for an unknown time zone. */
export function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    calendar: "iso8601",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  formats.set(timeZone, format);
  return format;
}
