/** Whether nothing in a value can be changed any more. */
export function isDeeplyFrozen(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (!Object.isFrozen(value)) return false;
  for (const key in value) if (!isDeeplyFrozen(Reflect.get(value, key))) return false;
  return true;
}
