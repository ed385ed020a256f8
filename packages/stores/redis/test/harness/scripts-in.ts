import { createHash } from "node:crypto";
import type { NodeProxies } from "redis-servers";

/** A script as it was sent. */
export interface Script {
  readonly body: string;
  readonly keys: readonly string[];
  readonly args: readonly string[];
}

/** The scripts that are sent through these proxies during some work, each once, in their order. Their bodies must be unknown to the servers. */
export async function scriptsIn(
  proxies: NodeProxies,
  work: () => Promise<unknown>,
): Promise<readonly Script[]> {
  const bodies = new Map<string, string>();
  const calls = new Map<string, readonly [name: string, keys: readonly string[], args: readonly string[]]>();
  const see = ([command = "", name = "", ...words]: readonly string[]): void => {
    const [count = "0", ...rest] = words;
    const sha = /^evalsha$/i.test(command) ? name : createHash("sha1").update(name).digest("hex");
    if (/^script$/i.test(command) && /^load$/i.test(name)) bodies.set(digest(count), count);
    if (/^eval$/i.test(command)) bodies.set(sha, name);
    if (!/^eval(sha)?$/i.test(command)) return;
    const [keys, args] = [rest.slice(0, Number(count)), rest.slice(Number(count))];
    // A script that the server does not know yet is sent twice.
    calls.set(JSON.stringify([sha, keys, args]), [sha, keys, args]);
  };
  const faults = proxies.plan({
    on: "request",
    act: { delayMs: 0 },
    when: ({ command }) => {
      see(command);
      return false;
    },
  });
  await work();
  for (const fault of faults) fault.lift();
  return [...calls.values()].map(([sha, keys, args]) => {
    const body = bodies.get(sha);
    if (body === undefined) throw new Error(`the body of script ${sha} was not sent`);
    return { body, keys, args };
  });
}

function digest(body: string): string {
  return createHash("sha1").update(body).digest("hex");
}
