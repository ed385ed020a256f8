import type { Tears } from "./tears.js";

/** Chooses what is tried where not everything is. */
export const SEED: number = Number(process.env["SESSIONS_CRASH_SEED"] ?? 7);

/** From how many disks of each scenario recovery continues to a second power cut. */
export const FIRST_CUTS: number = Number(process.env["SESSIONS_CRASH_FIRST_CUTS"] ?? 1);

export const TEARS: Tears = process.env["SESSIONS_CRASH_TEARS"] === "all" ? "every byte" : { seed: SEED };
