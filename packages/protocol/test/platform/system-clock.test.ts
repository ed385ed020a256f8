import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { systemClock } from "../../src/platform/system-clock.js";

const DAY = 24 * 60 * 60 * 1000;

describe("systemClock", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it("returns the time of the platform", () => {
    vi.setSystemTime(123_456);
    expect(systemClock.now()).toBe(123_456);
    const before = systemClock.monotonic();
    vi.advanceTimersByTime(50);
    expect(systemClock.monotonic() - before).toBe(50);
  });

  it.each([1, 1000, 2 ** 31 - 1, 2 ** 31, 2 ** 31 + 5, 60 * DAY])("calls back after %i ms, once", (ms) => {
    const callback = vi.fn();
    systemClock.after(ms, callback);
    vi.advanceTimersByTime(ms - 1);
    expect(callback).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(callback).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(60 * DAY);
    expect(callback).toHaveBeenCalledTimes(1);
  });

  it.each([0, 30])("does not call back once cancelled, %i days into the wait", (days) => {
    const callback = vi.fn();
    const cancel = systemClock.after(60 * DAY, callback);
    vi.advanceTimersByTime(days * DAY);
    cancel();
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(61 * DAY);
    expect(callback).not.toHaveBeenCalled();
  });

  it("never calls back after an infinite time", () => {
    const callback = vi.fn();
    const cancel = systemClock.after(Number.POSITIVE_INFINITY, callback);
    vi.advanceTimersByTime(100 * DAY);
    expect(callback).not.toHaveBeenCalled();
    cancel();
  });

  it.each([true, false])(
    "keeps the process alive unless in the background (background: %s)",
    (background) => {
      vi.useRealTimers();
      const timers = vi.spyOn(globalThis, "setTimeout");
      const cancel = systemClock.after(60_000, () => undefined, background);
      const timer: NodeJS.Timeout | undefined = timers.mock.results[0]?.value;
      expect(timer?.hasRef()).toBe(!background);
      cancel();
    },
  );

  it("works on a platform whose timers are numbers", () => {
    vi.stubGlobal("setTimeout", () => 7);
    expect(() => systemClock.after(10, () => undefined, true)).not.toThrow();
    vi.unstubAllGlobals();
  });
});
