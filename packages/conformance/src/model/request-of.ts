import type { CommitRequest, Operation } from "@sessions/protocol/backend";
import { adapted, creates } from "./adapted.js";
import { chosen } from "./choice.js";
import type { Known } from "./known.js";
import type { ModelClock } from "./model-clock.js";
import { operationOf } from "./operation-of.js";
import type { RequestIntent } from "./request-intent.js";
import type { SessionModel } from "./session-model.js";

/** The request as it is sent, aimed at what the session is after `ahead`, which is advanced by it. */
export function requestOf(
  intent: RequestIntent,
  model: SessionModel,
  ahead: SessionModel,
  { now: at, monotonic }: Pick<ModelClock, "now" | "monotonic">,
): CommitRequest {
  const sessionId = sessionFor(intent, ahead, at);
  const earlier = chosen(model.sentTo(sessionId), intent.which);
  const request = earlier === undefined ? undefined : repeated(intent, earlier, at);
  const leases = leasesIn(intent, model.known(sessionId, at, ahead), monotonic);
  const sent = request ?? { ...fresh(intent, sessionId, earlier, model, ahead, at), ...leases };
  ahead.commit(sent);
  return sent;
}

/** The session that is meant; one that is there, or that is not yet, where the request can be about nothing else. */
function sessionFor(intent: RequestIntent, ahead: SessionModel, at: number): string {
  const meant = ahead.sessionIds[intent.session % ahead.sessionIds.length] ?? "";
  if (!intent.blind && intent.ops.some(({ op }) => op === "create"))
    return ahead.sessionIds.find((id) => ahead.live(id, at) === undefined) ?? meant;
  if (intent.blind || intent.ops.some(creates) || ahead.live(meant, at) !== undefined) return meant;
  return chosen([...ahead.allLive(at).keys()], intent.which) ?? meant;
}

function repeated(intent: RequestIntent, earlier: CommitRequest, at: number): CommitRequest | undefined {
  if (intent.naming === "again") return { ...earlier, at, ageMs: intent.ageMs ?? 5 };
  if (intent.naming !== "asked") return undefined;
  const { sessionId, id, digest } = earlier;
  return { sessionId, id, at, ops: [], ...(digest === undefined ? {} : { digest }), ...aged(intent) };
}

function fresh(
  intent: RequestIntent,
  sessionId: string,
  earlier: CommitRequest | undefined,
  model: SessionModel,
  ahead: SessionModel,
  at: number,
): CommitRequest {
  const known = model.known(sessionId, at, ahead);
  const ops = sane(operationsOf(intent, sessionId, model, ahead, at));
  const given = intent.naming !== "generated";
  const reuses = intent.naming === "reused" && earlier !== undefined;
  return {
    sessionId,
    id: reuses ? earlier.id : model.newName("commit"),
    at,
    ops,
    ...(given ? { digest: reuses ? "another digest" : `digest of ${ops[0]?.op}` } : {}),
    ...(given && intent.receipt !== undefined ? { receipt: intent.receipt } : {}),
    ...preconditions(intent, ops, known),
    ...aged(intent),
  };
}

/** Each operation is aimed at what those before it have made. */
function operationsOf(
  intent: RequestIntent,
  sessionId: string,
  model: SessionModel,
  ahead: SessionModel,
  at: number,
): readonly Operation[] {
  const ops: Operation[] = [];
  for (const one of intent.ops) {
    const trial = ahead.ahead();
    const fence = trial.live(sessionId, at)?.turn?.token;
    if (ops.length > 0)
      trial.commit({ sessionId, id: "trial", at, ops, ...(fence === undefined ? {} : { fence }) });
    const known = model.known(sessionId, at, trial);
    ops.push(operationOf(intent.blind ? one : adapted(one, known), known));
  }
  return ops;
}

/** As validated requests are: a deletion stands alone, a whole document comes first and once. */
function sane(ops: readonly Operation[]): readonly Operation[] {
  const deletion = ops.find((op) => op.op === "delete");
  if (deletion !== undefined) return [deletion];
  const whole = ops.find(isWhole);
  return whole === undefined ? ops : [whole, ...ops.filter((op) => !isWhole(op))];
}

function isWhole(op: Operation): boolean {
  return op.op === "create" || op.op === "adopt";
}

type Preconditions = Pick<CommitRequest, "ifRevision" | "ifAbsent" | "ifIdle" | "fence">;

function preconditions(intent: RequestIntent, ops: readonly Operation[], known: Known): Preconditions {
  const named = intent.ifRevision ?? (ops.some((op) => op.op === "adopt") ? "right" : undefined);
  const ifRevision = named === undefined ? undefined : known.revision + (named === "right" ? 0 : 1);
  const fence = fenceOf(intent, ops, known);
  return {
    ...(ifRevision === undefined ? {} : { ifRevision }),
    ...(intent.ifAbsent === undefined ? {} : { ifAbsent: intent.ifAbsent }),
    ...(intent.ifIdle === undefined ? {} : { ifIdle: intent.ifIdle }),
    ...(fence === undefined ? {} : { fence }),
  };
}

function fenceOf(intent: RequestIntent, ops: readonly Operation[], known: Known): string | undefined {
  if (intent.fence === "foreign") return "7.of-nobody";
  if (intent.fence === "former") return chosen(known.usedTokens, intent.which);
  const needed = ops.some((op) => op.op === "turn" && (op.action === "renew" || op.action === "end"));
  return intent.fence === "current" || needed ? known.turn?.token : undefined;
}

/** What the writer says of leases. */
function leasesIn(
  { leaseDomain: domain, unchanged }: RequestIntent,
  { turn, queue }: Known,
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

function aged(intent: RequestIntent): { readonly ageMs?: number } {
  return intent.ageMs === undefined ? {} : { ageMs: intent.ageMs };
}
