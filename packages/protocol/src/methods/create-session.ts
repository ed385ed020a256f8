import type { MutationOptions, MutationResult } from "../api/mutation.js";
import { SESSION_INIT, type SessionInit } from "../api/session-init.js";
import { invalid } from "../arguments/invalid-argument.js";
import { field, optional } from "../arguments/optional-field.js";
import { requireOptions } from "../arguments/options.js";
import { commitOps, openCall } from "../commit/call.js";
import type { StoreContext } from "../context/store-context.js";
import type { Operation } from "../operations/operation.js";
import type { SessionDocument } from "../session/session-document.js";
import { patched } from "../state/apply/set.js";
import { draftWithId, requireMessages } from "../validate/checked-message.js";
import { requireExpiry } from "../validate/expiry.js";
import { requireCounters, requireLabels, requireMetadata, requireTitle } from "../validate/session-fields.js";
import { newDocument } from "./new-document.js";

export async function createSession(
  context: StoreContext,
  id: string,
  init: SessionInit = {},
  options?: MutationOptions,
): Promise<MutationResult> {
  const { limits } = context;
  const given = requireOptions(init, SESSION_INIT, "init");
  const title = field(
    "title",
    optional(given.title, "init.title", (value, at) => requireTitle(value, at, limits)),
  );
  const expiry = requireFirstExpiry({ ...given });
  const labels = requireLabels(given.labels ?? {}, "init.labels", limits);
  const metadata = patched({}, requireMetadata(given.metadata ?? {}, "init.metadata", limits));
  const counters = requireCounters(given.counters ?? {}, "init.counters", limits);
  const drafts = requireMessages(given.messages ?? [], "init.messages", limits);
  const sameness = {
    ...title,
    ...expiry,
    labels,
    metadata,
    counters,
    messages: drafts.map((draft) => draft.json),
  };
  const call = openCall(context, id, "createSession", () => sameness, options);
  const nextId = call.ids.restart();
  const now = context.clock.now();
  const incarnation = nextId();
  const messages = drafts.map((draft) => draftWithId(draft, nextId));
  const document: SessionDocument = {
    ...newDocument(incarnation, now),
    ...title,
    labels,
    metadata,
    counters,
  };
  // A `set` operation and not part of the document: a relative expiry counts from the time of the commit.
  const ends: readonly Operation[] = Object.keys(expiry).length === 0 ? [] : [{ op: "set", ...expiry }];
  // An `append` operation and not part of the document: the messages get the time of the commit, which a repeated call
  // returns too.
  const append: readonly Operation[] =
    messages.length === 0 ? [] : [{ op: "append", messages, onExisting: "fail" }];
  return commitOps(context, call, [{ op: "create", document }, ...ends, ...append]);
}

function requireFirstExpiry(given: Readonly<Record<string, unknown>>): ReturnType<typeof requireExpiry> {
  for (const name of ["expiresAt", "expiresIn"])
    if (given[name] === null) throw invalid(`init.${name}`, "must not be null: leave it out.");
  const expiry = requireExpiry(given, "init");
  if (expiry.renewOnUse === true && expiry.expiresIn === undefined)
    throw invalid("init.renewOnUse", "needs a relative expiry: give expiresIn in milliseconds.");
  return expiry;
}
