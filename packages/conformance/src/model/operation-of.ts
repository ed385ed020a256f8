import type {
  Keep,
  Message,
  MessageDraft,
  Operation,
  SettleArchiveOperation,
} from "@sessions/protocol/backend";
import { type Choice, chosen, chosenOr } from "./choice.js";
import { documentFor } from "./document-intent.js";
import { drafted, messageOf } from "./message-intent.js";
import type { OperationIntent, Target } from "./operation-intent.js";
import type { SessionView } from "./session-view.js";
import { turnOperation } from "./turn-intent.js";
import { UNKNOWN_ID } from "./unknown-id.js";

const SNAPSHOT_NAMES = ["n1", "n2", "__proto__", "\u0000 name"];
const DAY_MS = 24 * 3_600_000;

type IntentOf<Op extends OperationIntent["op"]> = Extract<OperationIntent, { readonly op: Op }>;

/** The operation to send, with a target in the current state of the session. */
export function operationOf(intent: OperationIntent, view: SessionView): Operation {
  switch (intent.op) {
    case "append":
      return {
        op: "append",
        messages: intent.messages.map((one) => messageOf(one, view)),
        onExisting: intent.onExisting,
      };
    case "splice":
      return spliceOf(intent, view);
    case "remove":
      return { op: "remove", messageIds: removedIds(intent, view) };
    case "update":
      return { op: "update", message: drafted(intent.message, aimedAt(intent.target, intent.which, view)) };
    case "extend":
      return extendOf(intent, view);
    case "archive":
      return archiveOf(intent, view);
    case "settle-archive":
      return settleOf(intent, view);
    case "snapshot":
      return { op: "snapshot", name: chosenOr(SNAPSHOT_NAMES, intent.which, "n1") };
    case "drop-snapshot":
      return { op: "drop-snapshot", name: snapshotName(intent, view) };
    case "restore":
      return { op: "restore", name: snapshotName(intent, view), ...forced(intent.force) };
    case "set":
      return setOf(intent, view);
    case "count":
      return intent;
    case "create":
    case "adopt":
      return { op: intent.op, document: documentFor(intent.document, view) };
    case "delete":
      return intent;
    case "turn":
      return turnOperation(intent, view);
  }
}

function spliceOf(intent: IntentOf<"splice">, view: SessionView): Operation {
  const { which, force } = intent;
  const at = view.live.length === 0 ? 0 : which % (view.live.length + 1);
  const again: readonly MessageDraft[] = intent.again
    ? view.live.slice(at).filter((_, index) => index % 2 === 0)
    : [];
  const messages = [...again, ...intent.messages.map((message) => messageOf(message, view))];
  return { op: "splice", keep: keepOf(intent, at, view), messages, ...forced(force) };
}

function keepOf(intent: IntentOf<"splice">, at: number, view: SessionView): Keep {
  const id = view.live[at]?.id;
  if (intent.keep === "unknown") return { through: UNKNOWN_ID };
  if (intent.keep === "count" || id === undefined) return at + (intent.which > 60 ? 1000 : 0);
  return intent.keep === "through" ? { through: id } : { before: id };
}

function removedIds(intent: IntentOf<"remove">, view: SessionView): readonly string[] {
  const ids = intent.which.flatMap((which) => chosen(view.live, which)?.id ?? []);
  return intent.unknownId
    ? [
        ...ids,
        chosenOr(
          view.messages.map((message) => message.id),
          0,
          UNKNOWN_ID,
        ),
      ]
    : ids;
}

function extendOf(intent: IntentOf<"extend">, view: SessionView): Operation {
  const { target, which, reasoning, text, parts, metadata, status } = intent;
  return {
    op: "extend",
    messageId: aimedAt(target, which, view),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(text === undefined ? {} : { text }),
    ...(parts === undefined ? {} : { parts }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(status === undefined ? {} : { status }),
  };
}

function archiveOf(intent: IntentOf<"archive">, view: SessionView): Operation {
  const taken = intent.again ? chosen(view.archiveIds, intent.which) : undefined;
  const archiveId = taken ?? view.newName("archive");
  return { op: "archive", archiveId, through: aimedAt(intent.target, intent.which, view) };
}

function settleOf(intent: IntentOf<"settle-archive">, view: SessionView): SettleArchiveOperation {
  const archiveId = intent.unknownId ? UNKNOWN_ID : chosenOr(view.archiveIds, intent.which, UNKNOWN_ID);
  const result = intent.summary ? { summary: `summary ${intent.which}` } : { error: `error ${intent.which}` };
  return { op: "settle-archive", archiveId, ...result };
}

function snapshotName(
  intent: { readonly which: Choice; readonly unknownId: boolean },
  view: SessionView,
): string {
  return intent.unknownId ? UNKNOWN_ID : chosenOr(view.snapshotNames, intent.which, UNKNOWN_ID);
}

function setOf(intent: IntentOf<"set">, view: SessionView): Operation {
  const { title, labels, metadata, expiry, expiresIn, renewOnUse } = intent;
  // Far in the past or the future: readers and writers may have different clocks.
  const times = { past: view.startedAt - DAY_MS, future: view.startedAt + 1000 * DAY_MS, never: null };
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

function aimedAt(target: Target, which: Choice, view: SessionView): string {
  if (target === "unknown") return UNKNOWN_ID;
  const among: readonly Message[] = target === "live" ? view.live : view.messages;
  return chosen(among, which)?.id ?? UNKNOWN_ID;
}

function forced(force: boolean | undefined): { readonly force?: boolean } {
  return force === undefined ? {} : { force };
}
