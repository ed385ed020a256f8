import {
  MUTATION_OPTIONS,
  type MutationOptions,
  type MutationResult,
  READ_OPTIONS,
  type ReadOptions,
} from "../api/mutation.js";
import type { SessionBundle } from "../api/session-bundle.js";
import { invalid } from "../arguments/invalid-argument.js";
import { field } from "../arguments/optional-field.js";
import { plainCopy, requireOptions } from "../arguments/options.js";
import { requireId } from "../arguments/require-id.js";
import { openCall } from "../commit/call.js";
import { commitPlanned, type Plan, type PlannedResult } from "../commit/commit-planned.js";
import type { StoreContext } from "../context/store-context.js";
import { SessionError } from "../errors/session-error.js";
import { sessionNotFound } from "../errors/session-not-found.js";
import { cloneDocument } from "../json/clone-json.js";
import { equalJson } from "../json/equal-json.js";
import { runRead } from "../reading/run-read.js";
import type { SessionDocument } from "../session/session-document.js";
import { requireDocument } from "../validate/document/document.js";

export function exportSession(
  context: StoreContext,
  id: string,
  options: ReadOptions = {},
): Promise<SessionBundle> {
  return runRead(context, options, READ_OPTIONS, async () => {
    requireId(id, "id", context.limits);
    const session = await context.backend.document(id);
    if (session === undefined) throw sessionNotFound(id);
    return { format: "sessions-bundle", version: 1, sessionId: id, session };
  });
}

const IMPORT_OPTIONS = { ...MUTATION_OPTIONS, newId: true } as const;

export async function importSession(
  context: StoreContext,
  bundle: SessionBundle,
  options: MutationOptions & { readonly newId?: string | undefined } = {},
): Promise<MutationResult & { readonly sessionId: string }> {
  const { newId, ...rest } = requireOptions(options, IMPORT_OPTIONS);
  context.lifecycle.assertOpen();
  const { sessionId: exportedId, session } = requireBundle(bundle, context);
  const sessionId = newId === undefined ? exportedId : requireId(newId, "options.newId", context.limits);
  const given = { bundle: cloneDocument(session, "bundle.session").value, ...field("newId", newId) };
  const call = openCall(context, sessionId, "importSession", () => given, rest);
  const attempt = (): Promise<PlannedResult> =>
    commitPlanned(context, call, async (nextId) => {
      // Another id is another session: forks of the exported session are not its forks.
      const document = sessionId === exportedId ? session : { ...session, incarnation: nextId() };
      return planImport(sessionId, document, await context.backend.document(sessionId));
    });
  // Another process may have created the session after it was read. Then that session decides the outcome.
  const { outcome } = await attempt().catch((error: unknown) => {
    if (SessionError.is(error, "SESSION_EXISTS") && rest.ifAbsent !== true) return attempt();
    throw error;
  });
  return { sessionId, revision: outcome.revision, duplicate: outcome.status !== "applied", messages: [] };
}

function planImport(
  sessionId: string,
  document: SessionDocument,
  existing: SessionDocument | undefined,
): Plan {
  if (existing === undefined) return { ops: [{ op: "create", document }] };
  if (sameSession(existing, document)) return { ops: [], revision: existing.revision };
  throw SessionError.of(
    "SESSION_EXISTS",
    `There is another session "${sessionId}" already. Import under a newId, or delete it first.`,
    {
      sessionId,
    },
  );
}

// The import itself is in the commit-id window of the imported session, and its revision may have been raised above a
// tombstone's. `rewrittenAt` follows the revision there. Bundles of older versions do not have it.
function sameSession(existing: SessionDocument, document: SessionDocument): boolean {
  const comparable = ({
    commits: _commits,
    revision: _revision,
    incarnation: _incarnation,
    rewrittenAt: _rewrittenAt,
    ...rest
  }: SessionDocument) => cloneDocument(rest, "session").value;
  return existing.revision >= document.revision && equalJson(comparable(existing), comparable(document));
}

function requireBundle(value: unknown, context: StoreContext): SessionBundle {
  const bundle: Readonly<Record<string, unknown>> = plainCopy(value, "bundle");
  if (bundle["format"] !== "sessions-bundle")
    throw invalid("bundle.format", 'must be "sessions-bundle": this is not an exported session.');
  if (bundle["version"] !== 1) {
    const found = typeof bundle["version"] === "number" ? { found: bundle["version"] } : {};
    throw SessionError.of(
      "FORMAT_UNSUPPORTED",
      "This bundle was written by a newer version. Update to read it.",
      { ...found, supported: 1 },
    );
  }
  return {
    format: "sessions-bundle",
    version: 1,
    sessionId: requireId(bundle["sessionId"], "bundle.sessionId", context.limits),
    session: requireDocument(bundle["session"], "bundle.session", context.limits),
  };
}
