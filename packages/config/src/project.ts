/** The project of the user, and the environment of the process. */
export interface Project {
  /** A folder in the project. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}
