import type { StoreKind } from "../store-kind.js";
import { fileKind } from "./file.js";
import { memoryKind } from "./memory.js";
import { redisKind } from "./redis.js";
import { sqliteKind } from "./sqlite.js";

/** The kinds of store that this package includes. */
export const KINDS: readonly StoreKind[] = [fileKind, sqliteKind, redisKind, memoryKind];
