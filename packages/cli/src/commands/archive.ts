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
  return command("archive", "archives the older messages of a session", [
    "archive user-42 --keep 20",
    "archive user-42 --keep 20 --summary 'They looked for a parcel.'",
  ])
    .argument("<id>", "the session")
    .option("-k, --keep <n>", "how many of the newest messages stay live", wholeNumber, 20)
    .option("--summary <text>", "the text that stands for them in a model's context")
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
