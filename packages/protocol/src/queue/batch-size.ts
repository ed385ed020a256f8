const MAX_REQUESTS = 512;
export const MAX_BATCH_BYTES: number = 4 * 1024 * 1024;
/** How long one batch may block the event loop, estimated from earlier batches. */
const MAX_MS = 10;

/** The fixed cost of a request, expressed in bytes. */
const BYTES_PER_REQUEST = 1024;

/** Before the first measurement a batch has room for 16 small requests. */
const FIRST_MS_PER_BYTE = MAX_MS / (16 * BYTES_PER_REQUEST);
/** The weight of a measurement that is faster than the estimate. A slower one replaces the estimate at once. */
const WEIGHT_OF_FASTER = 0.2;

/** Limits the size of a batch, because a long batch would block the event loop. */
export class BatchSize {
  #msPerByte = FIRST_MS_PER_BYTE;

  /**
   * Begins a batch. The returned function says for one request after the other whether it still fits. The first one
   * always fits.
   */
  begin(): (bytes: number) => boolean {
    let requests = 0;
    let total = 0;
    return (bytes) => {
      const next = total + bytes + BYTES_PER_REQUEST;
      const fits = requests < MAX_REQUESTS && next <= MAX_BATCH_BYTES && next * this.#msPerByte <= MAX_MS;
      if (requests > 0 && !fits) return false;
      requests++;
      total = next;
      return true;
    };
  }

  /** Records how long a batch of these requests blocked the event loop. */
  observe(requests: readonly { readonly bytes: number }[], ms: number): void {
    const total = requests.reduce((sum, { bytes }) => sum + bytes + BYTES_PER_REQUEST, 0);
    const measured = ms / total;
    if (measured > this.#msPerByte) this.#msPerByte = measured;
    else this.#msPerByte += WEIGHT_OF_FASTER * (measured - this.#msPerByte);
  }
}
