/** An error that did not fail the turn. Nothing is lost. */
export interface Warning {
  readonly message: string;
  readonly sessionId: string;
  readonly turnId?: string;
  readonly error: unknown;
}
