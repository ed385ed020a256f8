import { expect, test } from "vitest";
import { StopButton } from "../../src/terminal/stop-button.js";

function pressable() {
  const did: string[] = [];
  const button = new StopButton({ leave: () => did.push("leave"), exit: () => did.push("exit") });
  return { did, button };
}

test("at the prompt it leaves", () => {
  const { did, button } = pressable();
  button.press();
  expect(did).toEqual(["leave"]);
});

test("during an answer it stops the answer; the second time it exits", async () => {
  const { did, button } = pressable();
  await button.during(async (signal) => {
    expect(signal.aborted).toBe(false);
    button.press();
    expect([signal.aborted, did]).toEqual([true, []]);
    button.press();
    expect(did).toEqual(["exit"]);
  });
});

test("after an answer it leaves again, also if that was stopped or failed", async () => {
  const { did, button } = pressable();
  const failing = button.during(async () => {
    button.press();
    throw new Error("stopped");
  });
  await expect(failing).rejects.toThrow("stopped");
  button.press();
  expect(did).toEqual(["leave"]);
});

test("a signal stops the answer and leaves", async () => {
  const { did, button } = pressable();
  await button.during(async (signal) => {
    button.leave();
    expect(signal.aborted).toBe(true);
  });
  expect(did).toEqual(["leave"]);
});
