import type { ArchiveInfo } from "@sessions/protocol";
import type { Control } from "./control.js";
import { withRecords } from "./rewritten-records.js";

/** Treats a failed summary as an empty one. */
export const failedSummaryHidesMessages: Control = {
  name: "failed summary that hides its messages",
  caughtBy: "getContext",
  breakPlace: (place) =>
    withRecords(place, (record) => ({ ...record, archives: record.archives.map(settled) })),
};

function settled(archive: ArchiveInfo): ArchiveInfo {
  const { summary } = archive;
  if (summary.status !== "failed") return archive;
  return { ...archive, summary: { status: "done", text: "", settledAt: summary.settledAt } };
}
