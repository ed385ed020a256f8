import type { Message } from "@sessions/protocol";
import { type Lane, PlainLane } from "../../src/plain-lane.js";
import { SearchIndex } from "../../src/search/search-index.js";
import { Sessions } from "../../src/sessions.js";
import type { SqliteContext } from "../../src/sqlite-context.js";
import type { RowText, StoredSession } from "../../src/stored-session.js";

class Forgotten extends SearchIndex {
  override put(_row: number, _message: Message): void {
    // nothing: that is what is wrong with it
  }
}

/** Sessions whose text stays what it was when it was first asked for. */
class OldText extends Sessions {
  readonly #sessions: Sessions;
  #text: RowText | undefined;

  constructor({ statements, reader, rows, search, sessions }: SqliteContext) {
    super(statements, reader, rows, search);
    this.#sessions = sessions;
  }

  override current(id: string): StoredSession | undefined {
    const session = this.#sessions.current(id);
    this.#text ??= session?.text;
    return session && { ...session, text: this.#text };
  }

  override nextChange(): number {
    return this.#sessions.nextChange();
  }

  override put(session: StoredSession): void {
    this.#sessions.put(session);
  }
}

/** Lanes that do not leave the same rows, or lose some. */
export const broken: Readonly<Record<string, (context: SqliteContext) => Lane>> = {
  "keeps text too long": (context) => new PlainLane({ ...context, sessions: new OldText(context) }),
  "leaves a message out of the search": (context) =>
    new PlainLane({ ...context, search: new Forgotten(context.db) }),
  "never indexes what it wrote": (context) => {
    const indexMessages = context.db.prepare<[number, number]>(
      "UPDATE messages SET indexed = 0 WHERE row >= ? AND row < ? AND indexed = 0",
    );
    return new PlainLane({ ...context, statements: { ...context.statements, indexMessages } });
  },
  "does not know what it wrote": (context) => {
    const lane = new PlainLane(context);
    return {
      take: (request) => {
        const committed = lane.take(request);
        return committed && { ...committed, remember: () => undefined };
      },
    };
  },
};
