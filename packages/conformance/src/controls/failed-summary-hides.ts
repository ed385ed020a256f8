import type { ArchiveInfo } from "@sessions/protocol";
import type { Control } from "./control.js";
import { withRecords } from "./rewritten-records.js";

/** Takes an archive whose summary failed for one that needs none. */
export const failedSummaryHides: Control = {
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
