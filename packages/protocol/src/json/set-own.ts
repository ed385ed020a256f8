/** Gives `object` an own property. Plain assignment would set the prototype where `key` is `__proto__`. */
export function setOwn<T>(object: Record<string, T>, key: string, value: T): void {
  if (key !== "__proto__") object[key] = value;
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}
