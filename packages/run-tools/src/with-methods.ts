/** The same object with some of its methods replaced. */
export function withMethods<Target extends object>(target: Target, methods: Partial<Target>): Target {
  return new Proxy(target, {
    get(_target, name) {
      const replaced: unknown = Object.hasOwn(methods, name) ? Reflect.get(methods, name) : undefined;
      if (replaced !== undefined) return replaced;
      const value: unknown = Reflect.get(target, name);
      // Bound, because a proxy has no access to private fields.
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
