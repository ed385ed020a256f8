import { SessionError } from "@sessions/protocol";
import Database from "better-sqlite3";

/**
 * Fails if the native part of better-sqlite3 cannot be loaded. The driver loads it with its first connection, which would be after
 * folders and files were made.
 */
export function requireNativeBinding(): void {
  try {
    new Database(":memory:").close();
  } catch (error) {
    throw bindingFailure(error) ?? error;
  }
}

function bindingFailure(error: unknown): SessionError | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.message.startsWith("Could not locate the bindings file")) return notBuilt(error);
  return "code" in error && error.code === "ERR_DLOPEN_FAILED" ? notLoadable(error) : undefined;
}

function notBuilt(cause: Error): SessionError {
  const message =
    "The native part of better-sqlite3 is missing, because its install script has not run. With pnpm, run `pnpm approve-builds` and choose better-sqlite3; with npm, run `npm rebuild better-sqlite3`. Nothing was changed.";
  return SessionError.of("STORE_UNAVAILABLE", message, { cause, retryable: false });
}

function notLoadable(cause: Error): SessionError {
  const built = /NODE_MODULE_VERSION (\d+)/.exec(cause.message)?.[1];
  const { modules, node } = process.versions;
  const reason =
    built === undefined
      ? `cannot be loaded by Node ${node} on ${process.platform} ${process.arch} (see the cause)`
      : `was built for another version of Node: for NODE_MODULE_VERSION ${built}, and Node ${node} has ${modules}`;
  const message = `The native part of better-sqlite3 ${reason}. Run \`npm rebuild better-sqlite3\` (with pnpm, \`pnpm rebuild better-sqlite3\`) with the Node that runs your program. Nothing was changed.`;
  return SessionError.of("STORE_UNAVAILABLE", message, { cause, retryable: false });
}
