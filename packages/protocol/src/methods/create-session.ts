import type { Operation } from "../operations/operation.js";
import type { SessionDocument } from "../session/session-document.js";
import { patched } from "../state/apply/set.js";
import { commitOps, openCall } from "../store/call.js";
import type { MutationOptions, MutationResult } from "../store/mutation.js";
import type { SessionInit } from "../store/session-init.js";
import type { StoreContext } from "../store/store-context.js";
import { field, optional, requireRecord, requireTime } from "../validate/argument.js";
import { namedDraft, requireMessages } from "../validate/message-draft.js";
import { requireCounters, requireLabels, requireMetadata, requireTitle } from "../validate/session-fields.js";
import { newDocument } from "./new-document.js";

export async function createSession(
  context: StoreContext,
  id: string,
  init: SessionInit = {},
  options?: MutationOptions,
): Promise<MutationResult> {
  const { limits } = context;
  const given = requireRecord(init, "init");
  const title = field(
    "title",
    optional(given["title"], "init.title", (value, at) => requireTitle(value, at, limits)),
  );
  const expiresAt = field("expiresAt", optional(given["expiresAt"], "init.expiresAt", requireTime));
  const labels = requireLabels(given["labels"] ?? {}, "init.labels", limits);
  const metadata = patched({}, requireMetadata(given["metadata"] ?? {}, "init.metadata", limits));
  const counters = requireCounters(given["counters"] ?? {}, "init.counters");
  const drafts = requireMessages(given["messages"] ?? [], "init.messages", limits);
  const sameness = {
    ...title,
    ...expiresAt,
    labels,
    metadata,
    counters,
    messages: drafts.map((draft) => draft.json),
  };
  const call = openCall(context, id, "createSession", () => sameness, options);
  const nextId = call.names.restart();
  const now = context.clock.now();
  const incarnation = nextId();
  const messages = drafts.map((draft) => namedDraft(draft, nextId));
  const document: SessionDocument = {
    ...newDocument(incarnation, now),
    ...title,
    ...expiresAt,
    labels,
    metadata,
    counters,
  };
  // Appended rather than part of the document: they get the time of the commit, which a repeat is told again.
  const append: readonly Operation[] =
    messages.length === 0 ? [] : [{ op: "append", messages, onExisting: "fail" }];
  return commitOps(context, call, [{ op: "create", document }, ...append]);
}
