/** How sessions are ordered; ties are broken by id. */
export type ListOrder =
  | "updated-desc"
  | "updated-asc"
  | "created-desc"
  | "created-asc"
  | "id-asc"
  | "id-desc";

/** Which sessions, in which order, how many. */
export interface ListQuery {
  /** All of these labels. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Forks of this session id. */
  readonly parent?: string;
  /** Changed at or after this time. */
  readonly updatedSince?: number;
  readonly order: ListOrder;
  readonly limit: number;
  /** From the page before. */
  readonly cursor?: string;
  /** Metadata keys to return; none where absent. */
  readonly metadata?: readonly string[];
}

/** Some of a list, and where the rest begins. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Absent on the last page. */
  readonly cursor?: string;
}
