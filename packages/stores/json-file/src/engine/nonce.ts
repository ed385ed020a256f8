import { randomBytes } from "node:crypto";

const STOCK_BYTES = 1024;

let stock: Buffer = Buffer.alloc(0);

/** This many random bytes, as hexadecimal digits. From a buffer: a few bytes cost the system as much as many. */
export function nonce(bytes: number): string {
  if (stock.length < bytes) stock = randomBytes(STOCK_BYTES);
  const drawn = stock.toString("hex", 0, bytes);
  stock = stock.subarray(bytes);
  return drawn;
}
