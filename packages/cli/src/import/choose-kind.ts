import { CommandError, EXIT } from "../command/exit-code.js";
import { type ImportKind, KIND_NAMES, kindsIn } from "./detect-kind.js";
import { STANDARD_INPUT } from "./file-lines.js";
import { requireThere } from "./require-there.js";

/** Both readers take what the other one takes: a message of OpenAI and a UIMessage differ in their fields alone. */
const CHATS: readonly ImportKind[] = ["openai-jsonl", "ui-messages"];

/** The kind to read a path as. Throws if the path looks like another kind than the user has named. */
export async function chosenKind(path: string, from: string): Promise<ImportKind> {
  const named = kindNamed(from);
  if (path === STANDARD_INPUT) {
    if (named === undefined || named === "bundle") return "bundle";
    throw new CommandError(
      `--from ${from} reads files. Only what "sessions export" wrote can be piped in.`,
      EXIT.usage,
    );
  }
  await requireThere(path);
  const kinds = await kindsIn(path);
  if (named !== undefined) return requireFitting(path, named, kinds);
  const [kind, another] = kinds;
  if (kind === undefined)
    throw new CommandError(`${path} looks like nothing that can be imported. ${ALL_KINDS}`, EXIT.notFound);
  if (another !== undefined)
    throw new CommandError(
      `${path} holds several kinds: ${[...kinds].join(", ")}. Import them one by one, with --from.`,
      EXIT.usage,
    );
  return kind;
}

function kindNamed(from: string): ImportKind | undefined {
  return KINDS.find((kind) => kind === from);
}

function requireFitting(path: string, named: ImportKind, kinds: ReadonlySet<ImportKind>): ImportKind {
  const [other] = kinds;
  const areChats = CHATS.includes(named) && [...kinds].some((kind) => CHATS.includes(kind));
  if (other === undefined || kinds.has(named) || areChats) return named;
  const looks = `${path} looks like ${KIND_NAMES[other]}, not like ${KIND_NAMES[named]}.`;
  throw new CommandError(`${looks} Nothing was imported. Give --from ${other}, or --from auto.`, EXIT.failed);
}

const KINDS: readonly ImportKind[] = ["bundle", "openai-jsonl", "ui-messages", "praisonai", "openviking"];

/** What --from takes. */
export const FROM: readonly string[] = [...KINDS, "auto"];

/** A sentence that says what can be imported. */
const ALL_KINDS: string = `It may be ${KINDS.map((kind) => `${KIND_NAMES[kind]} (${kind})`).join("; ")}.`;
