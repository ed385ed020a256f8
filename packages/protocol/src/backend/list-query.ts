/** The order of sessions. Ties are broken by id. */
export type ListOrder =
  | "updated-desc"
  | "updated-asc"
  | "created-desc"
  | "created-asc"
  | "id-asc"
  | "id-desc";

/** Which sessions to list, in which order, and how many. */
export interface ListQuery {
  /** All of these labels. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Forks of this session id. */
  readonly parent?: string;
  /** Changed at or after this time. */
  readonly updatedSince?: number;
  readonly order: ListOrder;
  readonly limit: number;
  /** The cursor of the previous page. */
  readonly cursor?: string;
  /** Metadata keys to return; none if absent. */
  readonly metadata?: readonly string[];
}

/** A part of a list, and the cursor of the next part. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Absent on the last page. */
  readonly cursor?: string;
}
