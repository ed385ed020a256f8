/** The significant digits of a double that are exact. */
const SIGNIFICANT_DIGITS = 15;

/** A number without rounding errors: 0.1 + 0.2 is 0.3. */
export function plainNumber(value: number): string {
  const rounded = Number(value.toPrecision(SIGNIFICANT_DIGITS));
  return String(Object.is(rounded, -0) ? 0 : rounded);
}
