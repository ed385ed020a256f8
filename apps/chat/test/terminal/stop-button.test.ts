import { expect, test } from "vitest";
import { StopButton } from "../../src/terminal/stop-button.js";

function pressable() {
  const did: string[] = [];
  const button = new StopButton({ leave: () => did.push("leave"), exit: () => did.push("exit") });
  return { did, button };
}

test("the stop button ends the chat at the prompt", () => {
  const { did, button } = pressable();
  button.press();
  expect(did).toEqual(["leave"]);
});

test("the stop button stops an answer, and a second press exits", async () => {
  const { did, button } = pressable();
  await button.during(async (signal) => {
    expect(signal.aborted).toBe(false);
    button.press();
    expect([signal.aborted, did]).toEqual([true, []]);
    button.press();
    expect(did).toEqual(["exit"]);
  });
});

test("the stop button ends the chat after an answer, also after one that was stopped or failed", async () => {
  const { did, button } = pressable();
  const failing = button.during(async () => {
    button.press();
    throw new Error("stopped");
  });
  await expect(failing).rejects.toThrow("stopped");
  button.press();
  expect(did).toEqual(["leave"]);
});

test("a signal stops the answer and ends the chat", async () => {
  const { did, button } = pressable();
  await button.during(async (signal) => {
    button.leave();
    expect(signal.aborted).toBe(true);
  });
  expect(did).toEqual(["leave"]);
});
