import {
  type MutationOptions,
  type MutationResult,
  READ_OPTIONS,
  type ReadOptions,
} from "../../api/mutation.js";
import { FORK_OPTIONS, type ForkOptions } from "../../api/queries.js";
import { invalid } from "../../arguments/invalid-argument.js";
import { field, optional } from "../../arguments/optional-field.js";
import { requireOptions } from "../../arguments/options.js";
import { requireId } from "../../arguments/require-id.js";
import { openCall } from "../../commit/call.js";
import { commitPlanned } from "../../commit/commit-planned.js";
import type { StoreContext } from "../../context/store-context.js";
import { sessionNotFound } from "../../errors/session-not-found.js";
import { derivedId } from "../../ids/derived-id.js";
import { runRead } from "../../reading/run-read.js";
import { summaryView } from "../../reading/session-view.js";
import type { SessionSummary, SessionTree } from "../../session/session.js";
import { requireMutationOptions } from "../../validate/mutation-options.js";
import { requireMetadata, requireTitle } from "../../validate/session-fields.js";
import { getSummary, requireSummary } from "../sessions.js";
import { type ForkPoint, forkDocument } from "./fork-document.js";
import { forksOf } from "./forks-of.js";

export async function forkSession(
  context: StoreContext,
  id: string,
  forkOptions: ForkOptions = {},
  mutationOptions: MutationOptions = {},
): Promise<MutationResult & { readonly sessionId: string }> {
  const { limits } = context;
  context.lifecycle.assertOpen();
  requireId(id, "id", limits);
  const fork = requireOptions(forkOptions, FORK_OPTIONS, "fork");
  const options = requireMutationOptions(mutationOptions, limits);
  optional(fork.newId, "fork.newId", (value, path) => requireId(value, path, limits));
  const at = requireForkPoint(fork.at, limits);
  const title = field(
    "title",
    optional(fork.title, "fork.title", (value, path) => requireTitle(value, path, limits)),
  );
  const metadata = field(
    "metadata",
    optional(fork.metadata, "fork.metadata", (value, path) => requireMetadata(value, path, limits)),
  );
  const given = {
    parent: id,
    ...field("at", fork.at === undefined ? undefined : { ...at }),
    ...title,
    ...metadata,
    ...field("newId", fork.newId),
  };
  // The fork remembers the commit id, so its generated id must be derived from the commit id.
  const sessionId =
    fork.newId ??
    (options.commitId === undefined
      ? context.ids.next()
      : derivedId(`fork of ${id}\n${options.commitId}`, 0));
  const call = openCall(context, sessionId, "forkSession", () => given, options);
  const { outcome } = await commitPlanned(context, call, async (nextId) => {
    const parent = await context.backend.document(id);
    if (parent === undefined) throw sessionNotFound(id);
    const now = context.clock.now();
    const document = forkDocument(id, parent, at, { incarnation: nextId(), now, ...title, ...metadata });
    return { ops: [{ op: "create", document }] };
  });
  return { sessionId, revision: outcome.revision, duplicate: outcome.status !== "applied", messages: [] };
}

function requireForkPoint(at: unknown, limits: StoreContext["limits"]): ForkPoint {
  if (at === undefined) return {};
  if (typeof at === "string") return { messageId: requireId(at, "fork.at", limits) };
  if (typeof at !== "object" || at === null)
    throw invalid("fork.at", "must be a message id or { snapshot: name }.");
  const { snapshot } = requireOptions<{ readonly snapshot?: unknown }>(at, { snapshot: true }, "fork.at");
  return { snapshot: requireId(snapshot, "fork.at.snapshot", limits) };
}

export function getChildren(
  context: StoreContext,
  id: string,
  options: ReadOptions = {},
): Promise<SessionSummary[]> {
  return runRead(context, options, READ_OPTIONS, async () => {
    requireId(id, "id", context.limits);
    const parent = await context.backend.read(id, { messages: "none" });
    return parent === undefined ? [] : childrenOf(context, parent);
  });
}

async function childrenOf(
  context: StoreContext,
  parent: Pick<SessionSummary, "id" | "incarnation">,
): Promise<SessionSummary[]> {
  const children: SessionSummary[] = [];
  for await (const fork of forksOf(context, parent.id)) {
    // Forks of an earlier incarnation are not children of this session. This also prevents cycles.
    if (fork.parent?.incarnation === parent.incarnation) children.push(summaryView(fork, context.leases));
  }
  return children;
}

export async function getParent(
  context: StoreContext,
  id: string,
  options: ReadOptions = {},
): Promise<SessionSummary | undefined> {
  const lineage = (await getSummary(context, id, options))?.parent;
  if (lineage === undefined) return undefined;
  const parent = await getSummary(context, lineage.sessionId, options);
  return parent?.incarnation === lineage.incarnation ? parent : undefined;
}

export async function getSessionTree(
  context: StoreContext,
  id: string,
  options: ReadOptions = {},
): Promise<SessionTree> {
  const root: SessionTree = { session: await requireSummary(context, id, options), children: [] };
  return runRead(context, options, READ_OPTIONS, async () => {
    const open = [root];
    const seen = new Set([id]); // imported sessions may name any parent, so the tree could contain a cycle
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      for (const session of await childrenOf(context, node.session)) {
        if (seen.has(session.id)) continue;
        seen.add(session.id);
        const child: SessionTree = { session, children: [] };
        node.children.push(child);
        open.push(child);
      }
    }
    return root;
  });
}
