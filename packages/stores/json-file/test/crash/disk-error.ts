/** A failure with a code of the operating system. */
export class DiskError extends Error {
  readonly code: string;

  constructor(code: string, path: string) {
    super(`${code}: ${path}`);
    this.code = code;
  }
}
