import type { Command } from "commander";
import { command, type Runner } from "../command/command.js";
import { wholeNumber } from "../command/parse-arguments.js";
import { countedAre } from "../render/counted.js";
import { stripControlsLine } from "../terminal/strip-controls.js";

interface ArchiveOptions {
  readonly keep: number;
  readonly summary?: string;
}

/** `sessions archive`. */
export function archiveCommand(run: Runner): Command {
  return command("archive", "moves old messages out of the live view; nothing is lost", [
    "archive user-42 --keep 20",
    "archive user-42 --keep 20 --summary 'They looked for a parcel.'",
  ])
    .argument("<id>", "the session")
    .option("-k, --keep <n>", "how many of the newest stay live", wholeNumber, 20)
    .option("--summary <text>", "stands for them in a model's context (default: pending)")
    .action((id: string, { keep, summary }: ArchiveOptions, self: Command) =>
      run(self, async ({ open, terminal, json, signal }) => {
        const store = await open();
        const archive = await store.archiveMessages(id, { keepRecent: keep }, { signal });
        if (archive !== undefined && summary !== undefined)
          await store.settleArchive(id, archive.id, { summary }, { signal });
        const { id: archiveId, messageCount = 0 } = archive ?? {};
        if (json) await terminal.printJson({ sessionId: id, archiveId: archiveId ?? null, messageCount });
        else if (archive === undefined) await terminal.print("There was nothing to archive.");
        else
          await terminal.print(
            stripControlsLine(`${countedAre(messageCount, "message")} in archive ${archive.id}.`),
          );
      }),
    );
}
