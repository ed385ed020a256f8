import { LUA_DICTIONARY } from "../keys/fields.js";
import { type Script, scriptOf } from "./script.js";

// Those that write sessions, and those that prepare or clear away for them.
export const APPEND: Script = scriptOf(LUA_DICTIONARY, "memories.lua", "append.lua");
export const COMMIT: Script = scriptOf(LUA_DICTIONARY, "memories.lua", "rows.lua", "commit.lua");
export const STAGE: Script = scriptOf(LUA_DICTIONARY, "memories.lua", "stage.lua");
export const PRUNE: Script = scriptOf(LUA_DICTIONARY, "memories.lua", "rows.lua", "prune.lua");
export const LOAD: Script = scriptOf(LUA_DICTIONARY, "memories.lua", "load.lua");
export const CREATE: Script = scriptOf(LUA_DICTIONARY, "create.lua");

// Those on the index of a partition.
export const RANGE: Script = scriptOf(LUA_DICTIONARY, "range.lua");
export const FEED: Script = scriptOf(LUA_DICTIONARY, "feed.lua");
export const DUE: Script = scriptOf(LUA_DICTIONARY, "due.lua");
export const BURY: Script = scriptOf(LUA_DICTIONARY, "bury.lua");
export const FORGET: Script = scriptOf(LUA_DICTIONARY, "forget.lua");

// Those that look after an index.
export const REPAIR: Script = scriptOf(LUA_DICTIONARY, "memories.lua", "repair.lua");
export const RECOUNT: Script = scriptOf(LUA_DICTIONARY, "recount.lua");

/** Tries what the server's user may do. */
export const PROBE: Script = scriptOf("", "probe.lua");
