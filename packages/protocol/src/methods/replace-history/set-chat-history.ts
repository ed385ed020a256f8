import { FORCIBLE_OPTIONS, type ForcibleOptions, type MutationResult } from "../../api/mutation.js";
import { field, optional } from "../../arguments/optional-field.js";
import { requireOptions } from "../../arguments/options.js";
import { requireBoolean, requireCount } from "../../arguments/require-value.js";
import type { SessionRecord } from "../../backend/session-record.js";
import { openCall, type Settled } from "../../commit/call.js";
import { commitPlanned } from "../../commit/commit-planned.js";
import type { StoreContext } from "../../context/store-context.js";
import { SessionError } from "../../errors/session-error.js";
import type { Json } from "../../json/json.js";
import type { Message } from "../../message/message.js";
import type { MessageInput } from "../../message/message-input.js";

import { copyWithCreatedAt } from "../../state/with-created-at.js";
import { CallerMessages } from "../../validate/caller-messages.js";
import { draftWithId } from "../../validate/checked-message.js";
import { planReplace } from "./plan-replace.js";

const REPLACE_OPTIONS = { ...FORCIBLE_OPTIONS, base: true } as const;

/** Replaces the live messages. The common prefix stays, the rest is spliced, and known messages keep their ids. */
export async function setChatHistory(
  context: StoreContext,
  id: string,
  messages: readonly MessageInput[],
  options: ForcibleOptions & { readonly base?: number | undefined } = {},
): Promise<MutationResult> {
  const { base, force, ...rest } = requireOptions(options, REPLACE_OPTIONS);
  optional(base, "options.base", (value, at) => requireCount(value, at));
  optional(force, "options.force", requireBoolean);
  const wanted = new CallerMessages(messages, "messages", context.limits);
  const call = openCall(context, id, "setChatHistory", () => requestFor(wanted, base), rest);
  const { outcome, plan } = await commitPlanned(context, call, async (nextId) => {
    const revisions = base === undefined ? {} : { revisions: true };
    const record = await context.backend.read(id, { messages: "all", ...revisions });
    const isMerge = base !== undefined && record !== undefined && base < record.revision;
    const archived = isMerge ? await newestArchived(context, record, wanted) : [];
    await context.share.continue(); // reading may have used up the share, and comparing takes as long
    return planReplace(record, wanted, { sessionId: id, base, force, nextId, archived });
  });
  const receipt = outcome.status === "duplicate" ? outcome.receipt : plan?.receipt;
  return {
    revision: outcome.revision,
    duplicate: outcome.status !== "applied",
    messages: newOnes(receipt, wanted, outcome),
  };
}

/** What makes two calls the same request. */
function requestFor(wanted: CallerMessages, base: number | undefined): Json {
  return { messages: wanted.all().map((draft) => draft.json), ...field("base", base) };
}

/** The new messages among the caller's. The receipt lists them, so a repeated call returns them too. */
function newOnes(receipt: Json | undefined, wanted: CallerMessages, outcome: Settled): Message[] {
  if (outcome.status === "unchanged" || !Array.isArray(receipt)) return [];
  const skipped = new Set(outcome.skipped);
  return receipt.flatMap((id: Json, index) => {
    if (index >= wanted.length || typeof id !== "string" || skipped.has(id)) return [];
    return [
      copyWithCreatedAt(
        draftWithId(wanted.at(index), () => id),
        outcome.at,
      ),
    ];
  });
}

/** The messages of the newest archive, if some of the caller's messages have no ids. */
async function newestArchived(
  { backend }: StoreContext,
  { id, archives }: SessionRecord,
  wanted: CallerMessages,
): Promise<readonly Message[]> {
  const newest = archives.at(-1);
  if (newest === undefined || wanted.all().every(({ json }) => json["id"] !== undefined)) return [];
  try {
    return (await backend.read(id, { messages: { archive: newest.id } }))?.messages ?? [];
  } catch (error) {
    // A revert removed the archive after the session was read. The plan's revision will not match, and it is made
    // again.
    if (SessionError.is(error, "ARCHIVE_NOT_FOUND")) return [];
    throw error;
  }
}
