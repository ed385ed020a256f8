import type { SessionBackend } from "../backend/session-backend.js";
import { SessionError } from "../errors/session-error.js";

/** The same backend, whose reads fail with typed errors only. Commits are the sink's business: it knows their ids. */
export function typedBackend(backend: SessionBackend): SessionBackend {
  const { search } = backend;
  return {
    capabilities: backend.capabilities,
    commit: (requests, written) => backend.commit(requests, written),
    read: (sessionId, select) => typed(() => backend.read(sessionId, select)),
    document: (sessionId) => typed(() => backend.document(sessionId)),
    list: (query) => typed(() => backend.list(query)),
    async *watch(target, signal) {
      try {
        yield* backend.watch(target, signal);
      } catch (error) {
        throw asTyped(error);
      }
    },
    verify: (sessionId) => typed(() => backend.verify(sessionId)),
    ...(search === undefined ? {} : { search: (query) => typed(() => search.call(backend, query)) }),
    describe: () => typed(() => backend.describe()),
    close: () => backend.close(),
  };
}

async function typed<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    throw asTyped(error);
  }
}

function asTyped(error: unknown): SessionError {
  if (SessionError.is(error)) return error;
  return SessionError.of("STORE_UNAVAILABLE", "The store could not be read; see the cause.", {
    cause: error,
  });
}
