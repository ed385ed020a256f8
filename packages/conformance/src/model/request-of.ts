import type { CommitRequest, Operation } from "@sessions/protocol/backend";
import { chosen } from "./choice.js";
import type { ModelClock } from "./model-clock.js";
import { operationOf } from "./operation-of.js";
import { createsSession, orPrerequisite } from "./prerequisite.js";
import type { RequestIntent } from "./request-intent.js";
import type { SessionModel } from "./session-model.js";
import type { SessionView } from "./session-view.js";

/** The request to send, with a target in the state of `preview`, to which it is then applied. */
export function requestOf(
  intent: RequestIntent,
  model: SessionModel,
  preview: SessionModel,
  { now: at, monotonic }: Pick<ModelClock, "now" | "monotonic">,
): CommitRequest {
  const sessionId = sessionFor(intent, preview, at);
  const earlier = chosen(model.sentTo(sessionId), intent.which);
  const request = earlier === undefined ? undefined : repeatOf(intent, earlier, at);
  const leases = leasesIn(intent, model.viewOf(sessionId, at, preview), monotonic);
  const sent = request ?? { ...newRequest(intent, sessionId, earlier, model, preview, at), ...leases };
  preview.commit(sent);
  return sent;
}

/** The intended session, or else an existing one (for a creation: an absent one) if the request would only be refused. */
function sessionFor(intent: RequestIntent, preview: SessionModel, at: number): string {
  const meant = preview.sessionIds[intent.session % preview.sessionIds.length] ?? "";
  if (!intent.asIs && intent.ops.some(({ op }) => op === "create"))
    return preview.sessionIds.find((id) => preview.live(id, at) === undefined) ?? meant;
  if (intent.asIs || intent.ops.some(createsSession) || preview.live(meant, at) !== undefined) return meant;
  return chosen([...preview.allLive(at).keys()], intent.which) ?? meant;
}

function repeatOf(intent: RequestIntent, earlier: CommitRequest, at: number): CommitRequest | undefined {
  if (intent.naming === "again") return { ...earlier, at, ageMs: intent.ageMs ?? 5 };
  if (intent.naming !== "lookup") return undefined;
  const { sessionId, id, digest } = earlier;
  return { sessionId, id, at, ops: [], ...(digest === undefined ? {} : { digest }), ...ageOf(intent) };
}

function newRequest(
  intent: RequestIntent,
  sessionId: string,
  earlier: CommitRequest | undefined,
  model: SessionModel,
  preview: SessionModel,
  at: number,
): CommitRequest {
  const view = model.viewOf(sessionId, at, preview);
  const ops = asValidated(operationsOf(intent, sessionId, model, preview, at));
  const isExplicit = intent.naming !== "generated";
  const reuses = intent.naming === "reused" && earlier !== undefined;
  return {
    sessionId,
    id: reuses ? earlier.id : model.newName("commit"),
    at,
    ops,
    ...(isExplicit ? { digest: reuses ? "another digest" : `digest of ${ops[0]?.op}` } : {}),
    ...(isExplicit && intent.receipt !== undefined ? { receipt: intent.receipt } : {}),
    ...preconditions(intent, ops, view),
    ...ageOf(intent),
  };
}

/** The target of each operation is chosen in the state that those before it have made. */
function operationsOf(
  intent: RequestIntent,
  sessionId: string,
  model: SessionModel,
  preview: SessionModel,
  at: number,
): readonly Operation[] {
  const ops: Operation[] = [];
  for (const one of intent.ops) {
    const trial = preview.copy();
    const fence = trial.live(sessionId, at)?.turn?.token;
    if (ops.length > 0)
      trial.commit({ sessionId, id: "trial", at, ops, ...(fence === undefined ? {} : { fence }) });
    const view = model.viewOf(sessionId, at, trial);
    ops.push(operationOf(intent.asIs ? one : orPrerequisite(one, view), view));
  }
  return ops;
}

/** The operations in a valid combination: a deletion is alone, a whole document comes first and once. */
function asValidated(ops: readonly Operation[]): readonly Operation[] {
  const deletion = ops.find((op) => op.op === "delete");
  if (deletion !== undefined) return [deletion];
  const whole = ops.find(isWhole);
  return whole === undefined ? ops : [whole, ...ops.filter((op) => !isWhole(op))];
}

function isWhole(op: Operation): boolean {
  return op.op === "create" || op.op === "adopt";
}

type Preconditions = Pick<CommitRequest, "ifRevision" | "ifAbsent" | "ifIdle" | "fence">;

function preconditions(intent: RequestIntent, ops: readonly Operation[], view: SessionView): Preconditions {
  const named = intent.ifRevision ?? (ops.some((op) => op.op === "adopt") ? "right" : undefined);
  const ifRevision = named === undefined ? undefined : view.revision + (named === "right" ? 0 : 1);
  const fence = fenceOf(intent, ops, view);
  return {
    ...(ifRevision === undefined ? {} : { ifRevision }),
    ...(intent.ifAbsent === undefined ? {} : { ifAbsent: intent.ifAbsent }),
    ...(intent.ifIdle === undefined ? {} : { ifIdle: intent.ifIdle }),
    ...(fence === undefined ? {} : { fence }),
  };
}

function fenceOf(intent: RequestIntent, ops: readonly Operation[], view: SessionView): string | undefined {
  if (intent.fence === "foreign") return "7.of-nobody";
  if (intent.fence === "former") return chosen(view.usedTokens, intent.which);
  const needed = ops.some((op) => op.op === "turn" && (op.action === "renew" || op.action === "end"));
  return intent.fence === "current" || needed ? view.turn?.token : undefined;
}

/** What the writer reports of leases. */
function leasesIn(
  { leaseDomain: domain, unchanged }: RequestIntent,
  { turn, queue }: SessionView,
  now: number,
): Pick<CommitRequest, "leaseTime" | "unchangedLeases"> {
  const off = unchanged === "right" ? 0 : 1;
  const tickets = queue.map(({ ticket: token, renewals }) => ({ token, renewals: renewals + off }));
  const turns = turn === undefined ? [] : [{ token: turn.token, renewals: turn.renewals + off }];
  return {
    ...(domain === undefined ? {} : { leaseTime: { domain, now } }),
    ...(unchanged === undefined ? {} : { unchangedLeases: [...turns, ...tickets] }),
  };
}

function ageOf(intent: RequestIntent): { readonly ageMs?: number } {
  return intent.ageMs === undefined ? {} : { ageMs: intent.ageMs };
}
