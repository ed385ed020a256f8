import type { Control } from "./control.js";
import { withRecords } from "./rewritten-records.js";

/** Writes down that a turn was interrupted, and never tells its holder. */
export const interruptionUnheard: Control = {
  name: "interruption that its holder never hears of",
  caughtBy: "interruptTurn",
  hangs: true,
  breakPlace: (place) =>
    withRecords(place, (record) => {
      if (record.turn?.interrupted !== true) return record;
      const { interrupted: _interrupted, ...turn } = record.turn;
      return { ...record, turn };
    }),
};
