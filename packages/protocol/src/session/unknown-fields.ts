import type { JsonObject } from "../json/json.js";
import type { SessionDocument, SnapshotDocument } from "./session-document.js";

/** A `true` for each field of `Known`: the compiler reports a field that is missing here. */
type FieldsOf<Known> = Readonly<Record<keyof Required<Known>, true>>;

const DOCUMENT_FIELDS: FieldsOf<SessionDocument> = {
  incarnation: true,
  revision: true,
  rewrittenAt: true,
  createdAt: true,
  updatedAt: true,
  expiresAt: true,
  expiresIn: true,
  renewOnUse: true,
  title: true,
  labels: true,
  metadata: true,
  counters: true,
  parent: true,
  messages: true,
  revisions: true,
  archives: true,
  snapshots: true,
  lastTurn: true,
  finishedTurns: true,
  commits: true,
};

const SNAPSHOT_FIELDS: FieldsOf<SnapshotDocument> = {
  name: true,
  createdAt: true,
  revision: true,
  messageCount: true,
  shared: true,
  messages: true,
  revisions: true,
  archives: true,
};

/** The fields that a newer minor version wrote. They are kept and exported again, never interpreted. */
export interface WithUnknownFields {
  readonly unknownFields?: JsonObject;
}

export function unknownDocumentFields(document: object): WithUnknownFields {
  return unknownFields(document, DOCUMENT_FIELDS);
}

export function unknownSnapshotFields(snapshot: object): WithUnknownFields {
  return unknownFields(snapshot, SNAPSHOT_FIELDS);
}

function unknownFields(value: object, known: object): WithUnknownFields {
  const entries = Object.entries(value).filter(([name]) => !Object.hasOwn(known, name));
  return entries.length === 0 ? {} : { unknownFields: Object.fromEntries(entries) };
}
