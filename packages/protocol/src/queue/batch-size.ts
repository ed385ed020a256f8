/** What one batch carries at most. */
const MAX_REQUESTS = 512;
const MAX_BYTES = 4 * 1024 * 1024;
/** How long it may keep the event loop busy, by what batches before it took. */
const MAX_MS = 10;

/** What a request costs beside its bytes, as if it were this many bytes more. */
const BYTES_PER_REQUEST = 1024;

/** Before anything was measured a batch has 16 small requests. */
const FIRST_MS_PER_BYTE = MAX_MS / (16 * BYTES_PER_REQUEST);
/** How much a batch counts that was faster than those before it. A slower one counts at once. */
const WEIGHT_OF_FASTER = 0.2;

/** How much fits into one batch: a batch that takes long would hold up the event loop, and everybody in it. */
export class BatchSize {
  #msPerByte = FIRST_MS_PER_BYTE;

  /** Begins a batch: the result says of one request after the other whether it still fits. The first one always does. */
  begin(): (bytes: number) => boolean {
    let requests = 0;
    let total = 0;
    return (bytes) => {
      const next = total + bytes + BYTES_PER_REQUEST;
      const fits = requests < MAX_REQUESTS && next <= MAX_BYTES && next * this.#msPerByte <= MAX_MS;
      if (requests > 0 && !fits) return false;
      requests++;
      total = next;
      return true;
    };
  }

  /** A batch of these requests kept the event loop busy for so long. */
  observe(requests: readonly { readonly bytes: number }[], ms: number): void {
    const total = requests.reduce((sum, { bytes }) => sum + bytes + BYTES_PER_REQUEST, 0);
    const measured = ms / total;
    if (measured > this.#msPerByte) this.#msPerByte = measured;
    else this.#msPerByte += WEIGHT_OF_FASTER * (measured - this.#msPerByte);
  }
}
