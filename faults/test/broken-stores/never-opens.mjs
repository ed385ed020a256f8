/** Blocks the thread for ever. */
export async function open() {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

export const interleavesWriters = false;
