/** Something that a verification found. Benign findings are expected traces of crashes. */
export interface Finding {
  readonly severity: "benign" | "harmful";
  readonly detail: string;
  /** Where: a file and byte offset, a table and row, a key. */
  readonly location?: string;
}

/** Everything of one session was read and checked. */
export interface Verification {
  readonly sessionId: string;
  /** No harmful finding. */
  readonly ok: boolean;
  readonly revision: number;
  readonly messages: number;
  readonly findings: readonly Finding[];
}
