import type {
  Keep,
  Message,
  MessageDraft,
  Operation,
  SettleArchiveOperation,
} from "@sessions/protocol/backend";
import { type Choice, chosen, chosenOr } from "./choice.js";
import { documentFor } from "./document-intent.js";
import type { Known } from "./known.js";
import { drafted, messageOf } from "./message-intent.js";
import type { OperationIntent, Target } from "./operation-intent.js";
import { turnOperation } from "./turn-intent.js";

const STRANGER = "nobody-has-this-id";
const SNAPSHOT_NAMES = ["n1", "n2", "__proto__", "\u0000 name"];
const DAY_MS = 24 * 3_600_000;

type IntentOf<Op extends OperationIntent["op"]> = Extract<OperationIntent, { readonly op: Op }>;

/** The operation as it is sent, aimed at what the session holds now. */
export function operationOf(intent: OperationIntent, known: Known): Operation {
  switch (intent.op) {
    case "append":
      return {
        op: "append",
        messages: intent.messages.map((one) => messageOf(one, known)),
        onExisting: intent.onExisting,
      };
    case "splice":
      return spliceOf(intent, known);
    case "remove":
      return { op: "remove", messageIds: removedIds(intent, known) };
    case "update":
      return { op: "update", message: drafted(intent.message, aimedAt(intent.target, intent.which, known)) };
    case "extend":
      return extendOf(intent, known);
    case "archive":
      return archiveOf(intent, known);
    case "settle-archive":
      return settleOf(intent, known);
    case "snapshot":
      return { op: "snapshot", name: chosenOr(SNAPSHOT_NAMES, intent.which, "n1") };
    case "drop-snapshot":
      return { op: "drop-snapshot", name: snapshotName(intent, known) };
    case "restore":
      return { op: "restore", name: snapshotName(intent, known), ...forced(intent.force) };
    case "set":
      return setOf(intent, known);
    case "count":
      return intent;
    case "create":
    case "adopt":
      return { op: intent.op, document: documentFor(intent.document, known) };
    case "delete":
      return intent;
    case "turn":
      return turnOperation(intent, known);
  }
}

function spliceOf(intent: IntentOf<"splice">, known: Known): Operation {
  const { which, force } = intent;
  const at = known.live.length === 0 ? 0 : which % (known.live.length + 1);
  const again: readonly MessageDraft[] = intent.again
    ? known.live.slice(at).filter((_, index) => index % 2 === 0)
    : [];
  const messages = [...again, ...intent.messages.map((message) => messageOf(message, known))];
  return { op: "splice", keep: keepOf(intent, at, known), messages, ...forced(force) };
}

function keepOf(intent: IntentOf<"splice">, at: number, known: Known): Keep {
  const id = known.live[at]?.id;
  if (intent.keep === "nobody") return { through: STRANGER };
  if (intent.keep === "count" || id === undefined) return at + (intent.which > 60 ? 1000 : 0);
  return intent.keep === "through" ? { through: id } : { before: id };
}

function removedIds(intent: IntentOf<"remove">, known: Known): readonly string[] {
  const ids = intent.which.flatMap((which) => chosen(known.live, which)?.id ?? []);
  return intent.stranger
    ? [
        ...ids,
        chosenOr(
          known.held.map((message) => message.id),
          0,
          STRANGER,
        ),
      ]
    : ids;
}

function extendOf(intent: IntentOf<"extend">, known: Known): Operation {
  const { target, which, reasoning, text, parts, metadata, status } = intent;
  return {
    op: "extend",
    messageId: aimedAt(target, which, known),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(text === undefined ? {} : { text }),
    ...(parts === undefined ? {} : { parts }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(status === undefined ? {} : { status }),
  };
}

function archiveOf(intent: IntentOf<"archive">, known: Known): Operation {
  const taken = intent.again ? chosen(known.archiveIds, intent.which) : undefined;
  const archiveId = taken ?? known.newName("archive");
  return { op: "archive", archiveId, through: aimedAt(intent.target, intent.which, known) };
}

function settleOf(intent: IntentOf<"settle-archive">, known: Known): SettleArchiveOperation {
  const archiveId = intent.stranger ? STRANGER : chosenOr(known.archiveIds, intent.which, STRANGER);
  const result = intent.summary ? { summary: `summary ${intent.which}` } : { error: `error ${intent.which}` };
  return { op: "settle-archive", archiveId, ...result };
}

function snapshotName(intent: { readonly which: Choice; readonly stranger: boolean }, known: Known): string {
  return intent.stranger ? STRANGER : chosenOr(known.snapshotNames, intent.which, STRANGER);
}

function setOf(intent: IntentOf<"set">, known: Known): Operation {
  const { title, labels, metadata, expiry, expiresIn, renewOnUse } = intent;
  // Far from now on either side: readers and writers may have different clocks.
  const times = { past: known.startedAt - DAY_MS, future: known.startedAt + 1000 * DAY_MS, never: null };
  return {
    op: "set",
    ...(title === undefined ? {} : { title }),
    ...(labels === undefined ? {} : { labels }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(expiry === undefined ? {} : { expiresAt: times[expiry] }),
    ...(expiry !== undefined || expiresIn === undefined ? {} : { expiresIn }),
    ...(expiry !== undefined || expiresIn === null || renewOnUse === undefined ? {} : { renewOnUse }),
  };
}

function aimedAt(target: Target, which: Choice, known: Known): string {
  if (target === "nobody") return STRANGER;
  const among: readonly Message[] = target === "live" ? known.live : known.held;
  return chosen(among, which)?.id ?? STRANGER;
}

function forced(force: boolean | undefined): { readonly force?: boolean } {
  return force === undefined ? {} : { force };
}
