import type { MessageInput } from "../message/message-input.js";
import type { SessionDocument } from "../session/session-document.js";
import type {
  CountOperation,
  DeleteOperation,
  DropSnapshotOperation,
  Keep,
  OnExisting,
  RemoveOperation,
  RestoreOperation,
  SettleArchiveOperation,
} from "./operation.js";
import type { EndTurnOperation, InterruptTurnOperation, RenewTurnOperation } from "./turn-operation.js";

/** `append` with messages as callers pass them. */
export interface AppendInput {
  readonly op: "append";
  readonly messages: readonly MessageInput[];
  /** @default "fail" */
  readonly onExisting?: OnExisting | undefined;
}

/** `splice` with messages as callers pass them. */
export interface SpliceInput {
  readonly op: "splice";
  readonly keep: Keep;
  readonly messages?: readonly MessageInput[] | undefined;
  readonly force?: boolean | undefined;
}

/** `update` with a message as callers pass it. Its id says which message it replaces. */
export interface UpdateInput {
  readonly op: "update";
  readonly message: MessageInput & { readonly id: string };
}

/** `extend` with parts and metadata as callers pass them. The fields are applied in this order. */
export interface ExtendInput {
  readonly op: "extend";
  readonly messageId: string;
  /** Appended to a trailing part of type `reasoning`, or to a new one. */
  readonly reasoning?: string | undefined;
  readonly text?: string | undefined;
  readonly parts?: readonly object[] | undefined;
  /** Sets keys of the message's metadata; the other keys stay. `null` removes a key. */
  readonly metadata?: object | undefined;
  readonly status?: "partial" | "interrupted" | "complete" | undefined;
}

/** `archive`. Its id is generated if absent. */
export interface ArchiveInput {
  readonly op: "archive";
  readonly through: string;
  readonly archiveId?: string | undefined;
}

/** `snapshot`. Its name is generated if absent. */
export interface SnapshotInput {
  readonly op: "snapshot";
  readonly name?: string | undefined;
}

/** `set` with metadata as callers pass it. `null` removes. */
export interface SetInput {
  readonly op: "set";
  readonly title?: string | null | undefined;
  readonly labels?: Readonly<Record<string, string | null>> | undefined;
  readonly metadata?: object | undefined;
  readonly expiresAt?: number | Date | null | undefined;
  readonly expiresIn?: number | null | undefined;
  readonly renewOnUse?: boolean | undefined;
}

/** `create` or `adopt` from a whole document, such as a bundle's. */
export interface DocumentInput {
  readonly op: "create" | "adopt";
  readonly document: SessionDocument;
}

/** An operation as callers pass it. Builders create them; `commit` validates them and generates missing ids. */
export type OperationInput =
  | DocumentInput
  | AppendInput
  | SpliceInput
  | RemoveOperation
  | UpdateInput
  | ExtendInput
  | ArchiveInput
  | SettleArchiveOperation
  | SnapshotInput
  | DropSnapshotOperation
  | RestoreOperation
  | SetInput
  | CountOperation
  | InterruptTurnOperation
  | RenewTurnOperation
  | EndTurnOperation
  | DeleteOperation;
