import { expect, test, vi } from "vitest";
import { progress } from "../run/progress.mjs";

const output = (isTTY) => {
  const out = { isTTY, text: "", write: (text) => (out.text += text) };
  return out;
};

test("in a terminal the progress line is rewritten and removed", () => {
  const out = output(true);
  const { say, done } = progress("preparing x", out);
  say("one");
  say("two");
  done();
  expect(out.text).toBe("\r\x1b[2Kpreparing x: one …\r\x1b[2Kpreparing x: two …\r\x1b[2K");
});

test("without a terminal, quick steps are not printed, and slow ones once", () => {
  vi.useFakeTimers();
  try {
    const out = output(false);
    const { say, done } = progress("preparing x", out, 1000);
    say("quick");
    say("slow");
    vi.advanceTimersByTime(5000);
    say("later");
    done();
    vi.advanceTimersByTime(5000);
    expect(out.text).toBe("preparing x …\npreparing x: slow …\n");
  } finally {
    vi.useRealTimers();
  }
});
