/** A message as a provider or framework writes it, and what must be read from it. */
export interface Shape {
  readonly shape: string;
  readonly message: { readonly role: string; readonly [field: string]: unknown };
  readonly text: string;
  readonly calls: readonly string[];
  readonly results: readonly string[];
}

/** No text and no links. */
export const NONE = { text: "", calls: [], results: [] };
