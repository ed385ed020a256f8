/** What a store wants its operator to know. */
export interface StoreWarning {
  /** The store's own name for it; stable. */
  readonly code?: string;
  readonly message: string;
}
