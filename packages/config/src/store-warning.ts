/** A warning of a store for its operator. */
export interface StoreWarning {
  /** The code of the warning. It is stable. */
  readonly code?: string;
  readonly message: string;
}
