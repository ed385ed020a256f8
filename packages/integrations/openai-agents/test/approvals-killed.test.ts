import { join } from "node:path";
import { setTracingDisabled } from "@openai/agents";
import { OtherProcess, type SharedPlace, sharedKinds, sharedPlace, temporaryFolder } from "test-tools";
import { expect, test } from "vitest";
import { openaiRuns, openaiSession } from "../src/index.js";
import { answers, asksToPay, payingAgent, payments } from "./paying-agent.mjs";

setTracingDisabled(true);

const TTL_MS = 2500;

/** Kills a process that has stopped for an approval. */
async function killedWhileWaiting(kind: (typeof sharedKinds)[number]) {
  const place = await sharedPlace(kind);
  const file = join(await temporaryFolder(), "payments");
  const asking = step("ask", place, file);
  const { waiting } = await asking.until((line) => "waiting" in line);
  await asking.kill();
  const store = await place.open();
  const runs = openaiRuns(store, "s", payingAgent(file, [answers("It is paid.")]).agent);
  return { place, file, store, waiting, runs };
}

const step = (name: "ask" | "hold" | "resume", place: SharedPlace, file: string): OtherProcess =>
  new OtherProcess(new URL("./held-approval.mjs", import.meta.url), {
    place: place.where,
    file,
    ttlMs: TTL_MS,
    step: name,
  });

test.each(sharedKinds)(
  "after a kill, another process lists what waits for an approval, approves it and resumes the run: %s",
  async (kind) => {
    const { file, store, waiting, runs } = await killedWhileWaiting(kind);
    expect(await runs.waiting()).toEqual(waiting);
    await runs.approve("c1");
    expect(await runs.resume()).toMatchObject({ status: "completed", text: "It is paid." });
    expect(await payments(file)).toEqual(["5"]);
    expect((await openaiSession(store, "s").getItems()).map(({ type }) => type)).toEqual([
      "message",
      "function_call",
      "function_call_result",
      "message",
    ]);
  },
);

test.each(sharedKinds)(
  "a tool whose process is killed between its effect and our record is not run again until somebody approves it again: %s",
  async (kind) => {
    const { place, file, runs } = await killedWhileWaiting(kind);
    await runs.approve("c1");
    const resuming = step("resume", place, file);
    await resuming.until((line) => "paid" in line);
    // While that process lives, nobody else resumes the run or decides about the call.
    expect((await runs.waiting())[0]?.status).toBe("running");
    await expect(runs.resume()).rejects.toMatchObject({ code: "TURN_BUSY", owner: "resume" });
    await expect(runs.approve("c1", { again: true })).rejects.toMatchObject({ code: "TURN_BUSY" });
    await expect(runs.abandon()).rejects.toMatchObject({ code: "TURN_BUSY" });
    await resuming.kill();
    await expect.poll(async () => (await runs.waiting())[0]?.status, { timeout: 30_000 }).toBe("unknown");

    const mayHaveRun = { code: "INVALID_ARGUMENT", message: expect.stringContaining("may have run") };
    await expect(runs.resume()).rejects.toMatchObject(mayHaveRun);
    await expect(runs.approve("c1")).rejects.toMatchObject(mayHaveRun);
    expect(await payments(file)).toEqual(["5"]);
    await runs.approve("c1", { again: true });
    expect(await runs.resume()).toMatchObject({ text: "It is paid." });
    expect(await payments(file)).toEqual(["5", "5"]);
  },
);

test("a run that is killed before it stops has stored nothing, and its turn runs again", async () => {
  const place = await sharedPlace("json-file");
  const file = join(await temporaryFolder(), "payments");
  const held = step("hold", place, file);
  await held.until((line) => "asked" in line);
  await held.kill();
  const store = await place.open();
  expect(await openaiSession(store, "s").getItems()).toEqual([]);
  const { agent } = payingAgent(file, [asksToPay(5, "c1")]);
  const runs = openaiRuns(store, "s", agent, { waitMs: 30_000 });
  expect(await runs.run("Pay.", { turnId: "t1" })).toMatchObject({ duplicate: false, status: "waiting" });
});

test("a call that may have run can be rejected instead, and is not run again", async () => {
  const { place, file, runs } = await killedWhileWaiting("json-file");
  await runs.approve("c1");
  const resuming = step("resume", place, file);
  await resuming.until((line) => "paid" in line);
  await resuming.kill();
  await expect.poll(async () => (await runs.waiting())[0]?.status, { timeout: 30_000 }).toBe("unknown");
  await runs.reject("c1", { message: "It was paid already." });
  expect(await runs.resume()).toMatchObject({ status: "completed" });
  expect(await payments(file)).toEqual(["5"]);
});
