import type { CommitRequest } from "../backend/commit-request.js";
import { MAX_BATCH_BYTES } from "./batch-size.js";

/** What a number, a flag, an object or an array counts, besides its contents. */
const BYTES_PER_VALUE = 8;

/** The approximate size of a request. Counting ends at the limit of a batch, so that it never takes long. */
export function requestBytes({ ops }: CommitRequest): number {
  return bytesOf(ops, MAX_BATCH_BYTES);
}

function bytesOf(value: unknown, limit: number): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return BYTES_PER_VALUE;
  let bytes = BYTES_PER_VALUE;
  for (const item of Array.isArray(value) ? value : Object.values(value)) {
    if (bytes >= limit) break;
    bytes += bytesOf(item, limit - bytes);
  }
  return bytes;
}
