const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;

/** The path from `root` through `keys`, as code would write it: `messages[2].input["odd key"]`. */
export function jsonPath(root: string, keys: readonly (string | number)[]): string {
  return keys.reduce<string>((path, key) => path + accessor(key), root);
}

function accessor(key: string | number): string {
  if (typeof key === "number") return `[${key}]`;
  return IDENTIFIER.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
