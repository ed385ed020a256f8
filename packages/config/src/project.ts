/** Whose project it is, and who runs it. */
export interface Project {
  /** A folder of the project. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}
