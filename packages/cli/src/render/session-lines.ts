import type { ArchiveInfo, SessionSummary } from "@sessions/protocol";
import { stripControlsLine } from "../terminal/strip-controls.js";
import type { Style } from "../terminal/style.js";
import { fitted, padded } from "../terminal/width.js";
import { stamp } from "./age.js";
import { counted } from "./counted.js";

const NAME_COLUMNS = 11;

/** The fields of a session without its messages, one line for each field that is set. */
export function sessionLines(session: SessionSummary, style: Style, columns: number): readonly string[] {
  return fieldsOf(session).map(([name, value]) => {
    const shown = fitted(stripControlsLine(value), columns - NAME_COLUMNS);
    return `${style.dim(padded(name, NAME_COLUMNS))}${name === "session" ? style.name(shown) : shown}`;
  });
}

function fieldsOf(session: SessionSummary): readonly (readonly [string, string])[] {
  const { turn, parent, lastTurn, archives, snapshots } = session;
  const fields: readonly (readonly [string, string | undefined])[] = [
    ["session", session.id],
    ["title", session.title],
    [
      "revision",
      `${session.revision}, created ${stamp(session.createdAt)}, updated ${stamp(session.updatedAt)}`,
    ],
    ["expires", expiryText(session)],
    [
      "parent",
      parent === undefined
        ? undefined
        : `${parent.sessionId}${parent.messageId === undefined ? "" : ` at ${parent.messageId}`}`,
    ],
    [
      "turn",
      turn === undefined
        ? undefined
        : `${turn.turnId} ${turn.status}${turn.owner === undefined ? "" : `, held by ${turn.owner}`}, ${turn.waiting} waiting`,
    ],
    [
      "last turn",
      lastTurn === undefined
        ? undefined
        : `${lastTurn.turnId} ${lastTurn.outcome}${lastTurn.error === undefined ? "" : `: ${lastTurn.error}`}`,
    ],
    ["labels", pairs(session.labels)],
    ["counters", pairs(session.counters)],
    ["metadata", pairs(session.metadata)],
    ["messages", `${session.messageCount} live, ${sum(archives)} archived`],
    ...archives.map((archive) => ["archive", archiveLine(archive)] as const),
    ...snapshots.map(
      ({ name, messageCount, createdAt }) =>
        ["snapshot", `${name}: ${counted(messageCount, "message")}, ${stamp(createdAt)}`] as const,
    ),
  ];
  return fields.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}

function archiveLine({ id, messageCount, summary }: ArchiveInfo): string {
  const told = summary.status === "done" ? `"${summary.text}"` : summary.status;
  return `${id}: ${counted(messageCount, "message")}, ${told}`;
}

function pairs(values: Readonly<Record<string, unknown>>): string | undefined {
  const shown = Object.entries(values).map(
    ([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return shown.length === 0 ? undefined : shown.join(" ");
}

function sum(archives: readonly ArchiveInfo[]): number {
  return archives.reduce((total, { messageCount }) => total + messageCount, 0);
}

function expiryText({ expiresAt, expiresIn, renewOnUse }: SessionSummary): string | undefined {
  if (expiresAt === undefined) return undefined;
  if (expiresIn === undefined || renewOnUse !== true) return stamp(expiresAt);
  return `${stamp(expiresAt)}, ${expiresIn} ms after the last use`;
}
