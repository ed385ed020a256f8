import { type Script, scriptOf } from "./script.js";

// Those that write sessions, and those that prepare or clear away for them.
export const APPEND: Script = scriptOf("hold.lua", "memories.lua", "append.lua");
export const COMMIT: Script = scriptOf("hold.lua", "memories.lua", "rows.lua", "commit.lua");
export const STAGE: Script = scriptOf("memories.lua", "stage.lua");
export const PRUNE: Script = scriptOf("memories.lua", "rows.lua", "prune.lua");
export const LOAD: Script = scriptOf("hold.lua", "memories.lua", "session.lua", "load.lua");
export const CREATE: Script = scriptOf("create.lua");
export const SUMMARIES: Script = scriptOf("session.lua", "summaries.lua");

// Those on the index of a partition.
export const RANGE: Script = scriptOf("range.lua");
export const FEED: Script = scriptOf("feed.lua");
export const BURY: Script = scriptOf("bury.lua");
export const FORGET: Script = scriptOf("forget.lua");

// Those that look after an index.
export const REPAIR: Script = scriptOf("repair.lua");
export const RECOUNT: Script = scriptOf("recount.lua");

/** Tries what the server's user may do. */
export const PROBE: Script = scriptOf("probe.lua");
