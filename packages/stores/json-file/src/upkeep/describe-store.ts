import type { Capabilities, StoreDescription } from "@sessions/protocol";
import { asSessionError } from "../error-mapping.js";
import type { JournalContext } from "../session/journal-context.js";
import { JOURNAL_VERSION } from "../session/lines/journal-line.js";

/** What the store can say of itself, found out now. */
export function describeStore(
  context: JournalContext & { readonly root: string },
  capabilities: Capabilities,
): StoreDescription {
  const problem = problemOf(context);
  return {
    store: "json-file",
    location: context.root,
    format: { version: JOURNAL_VERSION, supported: JOURNAL_VERSION },
    durability: context.strict
      ? { survives: "machine", detail: "A commit is on the disk (fdatasync) before it is acknowledged." }
      : {
          survives: "process",
          detail:
            "A commit may be lost when the machine (not the process) dies within seconds after it. A session that was being written then may have to be salvaged.",
        },
    capabilities,
    healthy: problem === undefined,
    warnings: [...context.warnings.messages, ...(problem === undefined ? [] : [problem])],
  };
}

/** What keeps the whole store from working, in a sentence. */
function problemOf({ format, fileSystem, sessions }: JournalContext): string | undefined {
  try {
    format.check();
    return fileSystem.stat(sessions) === undefined ? `${sessions} is not there.` : undefined;
  } catch (error) {
    return asSessionError(error, undefined, sessions).message;
  }
}
