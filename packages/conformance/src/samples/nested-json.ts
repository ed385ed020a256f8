import type { Json } from "@sessions/protocol";

/** Nested arrays. Built in a loop, because recursion would overflow the stack. */
export function nestedArrays(levels: number): unknown {
  let value: unknown = [];
  for (let level = 1; level < levels; level++) value = [value];
  return value;
}

/** Nested arrays, all frozen. */
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

/** Each array contains the next one twice: few objects in memory, 2^levels values as JSON. */
export function sharedArrays(levels: number): unknown {
  let value: unknown = Object.freeze([]);
  for (let level = 1; level < levels; level++) value = Object.freeze([value, value]);
  return value;
}

/** Arrays and objects that contain each other in turn, with `innermost` at the bottom. */
export function alternatingNest(levels: number, innermost: string): Json {
  if (levels === 0) return innermost;
  const inner = alternatingNest(levels - 1, innermost);
  return levels % 2 === 0 ? [inner] : { in: inner };
}
