import type { SessionBackend } from "@sessions/protocol/backend";

/** A backend with some of its methods replaced. All others are forwarded. */
export function withBackendMethods(
  backend: SessionBackend,
  methods: Partial<SessionBackend>,
): SessionBackend {
  return {
    capabilities: backend.capabilities,
    commit: (requests) => backend.commit(requests),
    read: (sessionId, select) => backend.read(sessionId, select),
    document: (sessionId) => backend.document(sessionId),
    list: (query) => backend.list(query),
    watch: (target, signal) => backend.watch(target, signal),
    verify: (sessionId) => backend.verify(sessionId),
    describe: () => backend.describe(),
    close: () => backend.close(),
    ...methods,
  };
}
