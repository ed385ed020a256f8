import type { Harness, Place } from "@sessions/conformance";
import type { SessionBackend, SessionStore } from "@sessions/protocol/backend";

/** The store's fault. */
export type Fault =
  | "acknowledges before it applies"
  | "ignores commit ids"
  | "ignores fences"
  | "ignores preconditions"
  | "takes turns over at once"
  | "feeds no deletions"
  | "reads from a cache";

interface Argument {
  readonly path: string;
  readonly fault: Fault | null;
}

// Plain JavaScript, because workers run these files with node.
const url = (name: string): string => new URL(name, import.meta.url).href;
const { serve }: { serve(fault: Fault | undefined): Promise<{ path: string; close(): Promise<void> }> } =
  await import(url("./serve.mjs"));
const { open }: { open(argument: Argument): Promise<SessionStore> } = await import(url("./open.mjs"));
const { connectBackend }: { connectBackend(argument: Argument): Promise<SessionBackend> } = await import(
  url("./socket-backend.mjs")
);

/** A multi-process store to test the kit with: one process has the sessions, the others use a socket. */
export function socketHarness(fault?: Fault): Harness {
  return {
    name: fault === undefined ? "socket" : `socket store that ${fault}`,
    place: () => socketPlace(fault),
  };
}

async function socketPlace(fault: Fault | undefined): Promise<Place> {
  const server = await serve(fault);
  const argument = { path: server.path, fault: fault ?? null };
  return {
    open: () => open(argument),
    openBackend: () => connectBackend(argument),
    otherProcess: { module: url("./open.mjs"), argument },
    cleanup: server.close,
  };
}
