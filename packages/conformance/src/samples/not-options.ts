/** Values that are not options objects. Each call needs a new one, because a proxy can be revoked. */
export const notOptions: Readonly<Record<string, () => unknown>> = {
  null: () => null,
  "a number": () => 5,
  "a string": () => "messages",
  true: () => true,
  "an array": () => [],
  "a function": () => () => undefined,
  "a Map": () => new Map([["commitId", "c"]]),
  "a Date": () => new Date(0),
  "an instance of a class": () => new (class Options {})(),
  "an object that inherits its options": () => Object.create({ commitId: "c" }),
  "an object whose option throws": () => ({
    get signal() {
      throw new TypeError("no");
    },
  }),
  "a proxy whose traps throw": () => new Proxy({}, throwing),
  "a revoked proxy": () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
};

function refuse(): never {
  throw new RangeError("trapped");
}

const throwing: ProxyHandler<object> = { get: refuse, has: refuse, ownKeys: refuse, getPrototypeOf: refuse };
