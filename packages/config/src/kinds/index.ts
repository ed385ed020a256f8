import type { StoreKind } from "../store-kind.js";
import { fileKind } from "./file.js";
import { memoryKind } from "./memory.js";
import { redisKind } from "./redis.js";
import { sqliteKind } from "./sqlite.js";

/** The kinds of store that need no introduction. */
export const KINDS: readonly StoreKind[] = [fileKind, sqliteKind, redisKind, memoryKind];
