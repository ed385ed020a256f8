/** A store that holds up its whole process. */
export async function open() {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

export const interleavesWriters = false;
