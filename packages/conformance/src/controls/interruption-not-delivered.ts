import type { Control } from "./control.js";
import { withRecords } from "./rewritten-records.js";

/** Never aborts the signal of an interrupted turn. */
export const interruptionNotDelivered: Control = {
  name: "interruption not delivered to the holder",
  caughtBy: "interruptTurn",
  hangs: true,
  breakPlace: (place) =>
    withRecords(place, (record) => {
      if (record.turn?.interrupted !== true) return record;
      const { interrupted: _interrupted, ...turn } = record.turn;
      return { ...record, turn };
    }),
};
