import { inspect } from "node:util";
import { expect, test } from "vitest";
import { resolveStore, storeKind, text } from "../src/index.js";

const SECRET = "hunter2-s3cr3t";

/** Everything that a log could show of a value: text, stack, fields, nested causes. */
function shown(value: unknown): string {
  const message = value instanceof Error ? `${value.message}\n${value.stack}` : "";
  return `${message}\n${String(value)}\n${JSON.stringify(value)}\n${inspect(value, { depth: 20, showHidden: true })}`;
}

/** Fails as drivers do: with the secret in messages, fields, causes, and causes of causes. */
const leaky = storeKind({
  name: "leaky",
  schemes: ["leaky"],
  options: { address: text("an address"), password: { ...text("a password"), secret: true } },
  fromUrl: ({ address }) => ({ address }),
  locate: ({ address }) => `leaky:${address}`,
  async open({ address, password }) {
    const root = Object.assign(new TypeError(`no route to ${address}`), {
      input: address,
      args: [{ password }],
    });
    const between = new AggregateError([root, new Error(`AUTH ${password}`)], `tried ${address}`, {
      cause: root,
    });
    throw Object.assign(new Error(`cannot connect to ${address} with ${password}`, { cause: between }), {
      command: ["AUTH", password],
    });
  },
});

const targets: readonly unknown[] = [
  `redis://user:${SECRET}@localhost:1`,
  `redis://:${SECRET}@localhost:1/x`,
  `redis://user:${SECRET}@localhost:1?perfix=a`,
  `redis://user:${SECRET}@localhost:1?deadlineMs=a`,
  `redis://user:${SECRET}@`,
  `redis://user:${SECRET}@a,b`,
  `redis://user:${SECRET}%zz@a`,
  `redis://user:${SECRET}?x@a`,
  `redis://user:${SECRET}/x@a/b/c@d`,
  `redis+sentinel://user:${SECRET}@a:1,b:2`,
  `redis+cluster://user:${SECRET}@a:1:2`,
  `rediss://user:${SECRET}@localhost:99999999`,
  `reddis://user:${SECRET}@localhost`,
  `sqlite://user:${SECRET}@host/x.db`,
  `user:${SECRET}@host`,
  `://user:${SECRET}@host`,
  { url: `redis://user:${SECRET}@a`, prefx: 1 },
  { store: "redis", url: `redis://user:${SECRET}@a`, password: SECRET },
  { store: "redis", host: "a", password: SECRET, pasword: 1 },
  { store: "redis", host: 7, password: SECRET },
  { store: "reddis", password: SECRET },
  `nothing-of-ours://host?password=${SECRET}`,
  `redis://a:b:c?sentinelPassword=${SECRET}`,
  `leaky://user:${SECRET}@host`,
  `leaky:x?password=${SECRET}`,
  { store: "leaky", address: "x", password: SECRET },
  { store: "leaky", address: `x://u:${SECRET}@h`, password: SECRET },
];

test.each(targets.map((target) => ({ target })))("no secret is shown: $target", async ({ target }) => {
  for (const [given, env] of [
    [target, {}],
    [undefined, { SESSIONS_STORE: typeof target === "string" ? target : target }],
  ] as const) {
    const outcome = await attempt(given, env);
    expect(outcome).not.toBe("");
    expect(outcome).not.toContain(SECRET);
    expect(outcome).not.toContain(encodeURIComponent(SECRET));
  }
});

async function attempt(target: unknown, env: object): Promise<string> {
  try {
    const resolved = await Reflect.apply(resolveStore, undefined, [target, { env, stores: [leaky] }]);
    const place = shown({ kind: resolved.kind, location: resolved.location, source: resolved.source });
    const failure = await resolved.open().catch((error: unknown) => error);
    return place + shown(failure) + resolved.hide(`a later message with ${SECRET} in it`);
  } catch (error) {
    return shown(error);
  }
}

test("hiding secrets keeps the class, the code and the cause of an error", async () => {
  const resolved = await resolveStore(`leaky://user:${SECRET}@host`, { stores: [leaky], env: {} });
  const error: unknown = await resolved.open().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    message: "cannot connect to //user:***@host with undefined",
    cause: { errors: [{ input: "//user:***@host" }, {}], cause: expect.any(TypeError) },
  });
});

test("the checks fail for a kind of store that hides no secrets", async () => {
  const error = await Promise.resolve(leaky.open({ address: "a", password: SECRET }, nowhere)).catch(
    (e: unknown) => e,
  );
  expect(shown(error)).toContain(SECRET);
});

const nowhere = {
  base: "/",
  mode: "create",
  path: "target",
  load: <Module>(_name: string, literal: () => Promise<Module>) => literal(),
} as const;
