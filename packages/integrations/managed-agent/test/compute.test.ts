import type { JsonObject } from "@sessions/protocol";
import { type Place, storeKinds } from "test-tools";
import { describe, expect, test } from "vitest";
import { type ComputeHooks, createManagedAgent, type ManagedAgent } from "../src/index.js";
import { scripted } from "./scripted-runner.js";

/** Sandboxes as a provider would have them: one for each key. */
class Sandboxes implements ComputeHooks {
  readonly running = new Set<string>();
  readonly made: string[] = [];
  readonly released: string[] = [];
  /** Called when a hook has done its work, before it returns. */
  after: () => void = () => undefined;

  readonly provision = async ({ key }: { readonly key: string }): Promise<JsonObject> => {
    this.made.push(key);
    this.running.add(key);
    this.after();
    return { sandbox: key };
  };

  readonly shutdown = async ({ sandbox }: JsonObject): Promise<void> => {
    this.released.push(String(sandbox));
    this.running.delete(String(sandbox));
    this.after();
  };
}

async function agentAt(place: Place, compute: ComputeHooks): Promise<ManagedAgent> {
  return createManagedAgent({
    store: await place.open(),
    sessionId: "s",
    config: {},
    runner: scripted(),
    compute,
  });
}

function crash(): never {
  throw new Error("the process died here");
}

describe.each(storeKinds)("on $name", (kind) => {
  test("compute is provisioned once, stored, shut down, and not provisioned again by itself", async () => {
    const [place, sandboxes] = [await kind.place(), new Sandboxes()];
    const agent = await agentAt(place, sandboxes);
    const compute = await agent.provisionCompute();
    expect(await (await agentAt(place, sandboxes)).provisionCompute()).toEqual(compute);
    expect(sandboxes.made).toHaveLength(1);
    expect(await agent.shutdownCompute()).toBe(true);
    expect(sandboxes.running.size).toBe(0);
    expect(await (await agentAt(place, sandboxes)).shutdownCompute()).toBe(false);
    expect(await agent.provisionCompute()).not.toEqual(compute);
    expect(sandboxes.made).toHaveLength(2);
  });

  test("after a crash while compute is provisioned or shut down, the same key is used again and nothing leaks", async () => {
    const [place, sandboxes] = [await kind.place(), new Sandboxes()];
    const agent = await agentAt(place, sandboxes);
    sandboxes.after = crash;
    await expect(agent.provisionCompute()).rejects.toThrow("died here");
    sandboxes.after = () => undefined;
    const next = await agentAt(place, sandboxes);
    await next.provisionCompute();
    expect(new Set(sandboxes.made).size).toBe(1);

    sandboxes.after = crash;
    await expect(next.shutdownCompute()).rejects.toThrow("died here");
    sandboxes.after = () => undefined;
    // What was being released is not handed out any more.
    await (await agentAt(place, sandboxes)).provisionCompute();
    expect(sandboxes.running.size).toBe(1);
    expect(new Set(sandboxes.made).size).toBe(2);
    // It was unknown whether the first release had an effect, so it was made again.
    expect(sandboxes.released).toEqual([sandboxes.made[0], sandboxes.made[0]]);
  });

  test("compute whose provisioning never finished can be shut down", async () => {
    const [place, sandboxes] = [await kind.place(), new Sandboxes()];
    const agent = await agentAt(place, sandboxes);
    sandboxes.after = crash;
    await expect(agent.provisionCompute()).rejects.toThrow("died here");
    sandboxes.after = () => undefined;
    expect(await agent.shutdownCompute()).toBe(true);
    expect(sandboxes.running.size).toBe(0);
    expect(await agent.shutdownCompute()).toBe(false);
  });

  test("two provisions at once get the same compute, and a fork gets none", async () => {
    const [place, sandboxes] = [await kind.place(), new Sandboxes()];
    const agents = [await agentAt(place, sandboxes), await agentAt(place, sandboxes)];
    const [one, other] = await Promise.all(agents.map((agent) => agent.provisionCompute()));
    expect(one).toEqual(other);
    expect(sandboxes.running.size).toBe(1);
    const [agent] = agents;
    if (agent === undefined) throw new Error("there is no agent");
    const { sessionId } = await agent.forkSession();
    await agent.resume(sessionId);
    expect(await agent.shutdownCompute()).toBe(false);
    expect(sandboxes.running.size).toBe(1);
  });
});
