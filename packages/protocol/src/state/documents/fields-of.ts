import type { SessionFields } from "../../session/session-fields.js";

/** The descriptive fields of a session, always in the same order. */
export function fieldsOf(state: SessionFields): SessionFields {
  return {
    incarnation: state.incarnation,
    revision: state.revision,
    createdAt: state.createdAt,
    updatedAt: state.updatedAt,
    ...(state.expiresAt === undefined ? {} : { expiresAt: state.expiresAt }),
    ...(state.expiresIn === undefined ? {} : { expiresIn: state.expiresIn }),
    ...(state.renewOnUse === undefined ? {} : { renewOnUse: state.renewOnUse }),
    ...(state.title === undefined ? {} : { title: state.title }),
    labels: state.labels,
    metadata: state.metadata,
    counters: state.counters,
    ...(state.parent === undefined ? {} : { parent: state.parent }),
  };
}
