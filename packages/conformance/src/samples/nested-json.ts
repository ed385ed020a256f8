/** Arrays in each other. Made in a loop: recursion would not come that far. */
export function nestedArrays(levels: number): unknown {
  let value: unknown = [];
  for (let level = 1; level < levels; level++) value = [value];
  return value;
}

/** The same, and nothing in it can be changed. */
export function frozenNestedArrays(levels: number): unknown {
  let value: unknown = Object.freeze([]);
  for (let level = 1; level < levels; level++) value = Object.freeze([value]);
  return value;
}

/** An object that contains itself. */
export function cyclicObject(): unknown {
  const object: Record<string, unknown> = {};
  object["self"] = object;
  return object;
}

/** Arrays that hold the next one twice: few objects in memory, 2^levels values as JSON. */
export function sharedArrays(levels: number): unknown {
  let value: unknown = Object.freeze([]);
  for (let level = 1; level < levels; level++) value = Object.freeze([value, value]);
  return value;
}
