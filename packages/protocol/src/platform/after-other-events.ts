/** Looked up once: timers that a test replaces later must not change it. */
const { setImmediate: immediate, MessageChannel: Channel } = globalThis;

/**
 * Runs `callback` after the event loop has served the timers and finished I/O that are due. Browsers and some edge runtimes
 * have no `setImmediate`. There a message to itself does the same, without the 4 ms that nested timeouts cost.
 */
export const afterOtherEvents: (callback: () => void) => void =
  immediate === undefined ? byMessage() : (callback) => void immediate(callback);

function byMessage(): (callback: () => void) => void {
  if (Channel === undefined) return (callback) => void setTimeout(callback, 0);
  const callbacks: (() => void)[] = [];
  const { port1, port2 } = new Channel();
  port1.addEventListener("message", () => callbacks.shift()?.());
  port1.start();
  return (callback) => {
    callbacks.push(callback);
    port2.postMessage(undefined);
  };
}
