/** One finding of a verification. Benign findings are the normal traces of crashes. */
export interface Finding {
  readonly severity: "benign" | "harmful";
  readonly detail: string;
  /** Where: a file and byte offset, a table and row, a key. */
  readonly location?: string;
}

/** The result of reading and checking everything of one session. */
export interface Verification {
  readonly sessionId: string;
  /** No harmful finding. */
  readonly ok: boolean;
  readonly revision: number;
  readonly messages: number;
  readonly findings: readonly Finding[];
}
