export type Warn = (warning: {
  readonly code: string;
  readonly message: string;
  readonly path?: string;
  readonly cause?: unknown;
}) => void;
