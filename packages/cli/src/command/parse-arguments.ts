import { InvalidArgumentError } from "commander";

/** Parses an integer of at least 0. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}

/** Parses an integer of at least 1. */
export function positiveNumber(text: string): number {
  const number = wholeNumber(text);
  if (number === 0) throw new InvalidArgumentError("It must be 1 or more.");
  return number;
}

const UNITS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Parses a time (`2026-03-01`, `2026-03-01T12:00Z`) or an age (`90m`, `12h`, `7d`). */
export function pointInTime(text: string): number {
  const [, amount, unit] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  if (amount !== undefined && unit !== undefined) return Date.now() - Number(amount) * (UNITS[unit] ?? 0);
  const time = Date.parse(text);
  if (Number.isNaN(time))
    throw new InvalidArgumentError("It must be a date such as 2026-03-01, or an age such as 90m, 12h, 7d.");
  return time;
}

/** Parses `key=value` and adds it to the earlier pairs. */
export function label(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (key === undefined || value === undefined)
    throw new InvalidArgumentError("It must have the form key=value.");
  return { ...before, [key]: value };
}
