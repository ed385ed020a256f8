import type { Capabilities, StoreDescription } from "@sessions/protocol";
import { SCHEMA_VERSION } from "../engine/migrations/migrations.js";
import { asSessionError } from "../error-mapping.js";
import type { SqliteContext } from "../sqlite-context.js";

/** What is really in force, asked of the connection. */
export function describeStore(context: SqliteContext, capabilities: Capabilities): StoreDescription {
  const { db, path, warnings, files } = context;
  const about = { store: "sqlite", location: path, capabilities } as const;
  try {
    files.check();
    const version = Number(db.pragma("user_version", { simple: true }));
    const messages = [...warnings.messages];
    return {
      ...about,
      format: { version, supported: SCHEMA_VERSION },
      durability: durabilityOf(
        db.pragma("journal_mode", { simple: true }),
        db.pragma("synchronous", { simple: true }),
      ),
      healthy: version <= SCHEMA_VERSION,
      warnings:
        version <= SCHEMA_VERSION
          ? messages
          : [...messages, `The schema has version ${version}; update to use it.`],
    };
  } catch (error) {
    const failure = asSessionError(error, path);
    return {
      ...about,
      format: { version: SCHEMA_VERSION, supported: SCHEMA_VERSION },
      durability: { survives: "nothing", detail: "The database cannot be read." },
      healthy: false,
      warnings: [...warnings.messages, failure instanceof Error ? failure.message : String(failure)],
    };
  }
}

function durabilityOf(journalMode: unknown, synchronous: unknown): StoreDescription["durability"] {
  const inForce = `journal_mode=${String(journalMode)}, synchronous=${String(synchronous)}`;
  const isFull = typeof synchronous === "number" && synchronous >= 2;
  return isFull
    ? { survives: "machine", detail: `A commit is on the disk before it is acknowledged (${inForce}).` }
    : {
        survives: "process",
        detail: `A commit may be lost when the machine (not the process) dies (${inForce}).`,
      };
}
