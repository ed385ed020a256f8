/** The built-in type of an object, such as `Date` or `Map`. Unlike `instanceof` it works across realms (iframes, workers, vm). */
export function typeTag(value: object): string {
  return Object.prototype.toString.call(value).slice("[object ".length, -1);
}
