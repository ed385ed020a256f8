import { Deadline } from "../engine/deadline.js";
import type { RedisContext } from "../redis-context.js";
import { type IndexProblem, keyProblems } from "./index-problems.js";
import { type IndexedSession, readIndexedSession } from "./indexed-session.js";
import { type StoredNames, storedNames } from "./stored-names.js";

const SESSIONS_AT_ONCE = 100;

/** What is wrong with the index of a store: partitions that lists and watchers cannot trust. It may be used meanwhile. */
export async function indexProblems(context: RedisContext): Promise<readonly IndexProblem[]> {
  const { clock, deadlineMs } = context;
  const deadline = new Deadline(clock, deadlineMs);
  const partitions = await storedNames(context, deadline);
  const found = await Promise.all(
    partitions.map((names) => partitionProblems(context, names, deadline.again())),
  );
  return [...(await formatProblem(context, deadline.again())), ...found.flat()];
}

async function partitionProblems(
  context: RedisContext,
  names: StoredNames,
  deadline: Deadline,
): Promise<readonly IndexProblem[]> {
  const problems = await keyProblems(context, names, deadline);
  if (problems.length > 0) return problems; // what it says of sessions means nothing
  const wrong: string[] = [];
  for await (const { id, isRight } of indexedSessions(context, names, deadline)) if (!isRight) wrong.push(id);
  const [first] = wrong;
  if (first === undefined) return [];
  const problem = `it does not have what the records of ${wrong.length} sessions say, such as "${first}"`;
  return [{ partition: names.partition.tag, problem }];
}

async function formatProblem(
  { server, keys }: RedisContext,
  deadline: Deadline,
): Promise<readonly IndexProblem[]> {
  const isThere = await server.query(deadline, (client) => client.exists(keys.format));
  const problem = "it is not there: it was evicted or deleted";
  return isThere > 0 ? [] : [{ partition: keys.format, problem }];
}

/** Every session of a partition, with what the index has of it. */
export async function* indexedSessions(
  context: RedisContext,
  { ids, sets }: StoredNames,
  deadline: Deadline,
): AsyncGenerator<IndexedSession> {
  const all = [...ids];
  for (let from = 0; from < all.length; from += SESSIONS_AT_ONCE) {
    const some = all.slice(from, from + SESSIONS_AT_ONCE);
    const until = deadline.again();
    const read = some.map((id) => {
      const seen = [...sets].filter(([, members]) => members.has(id)).map(([key]) => key);
      return readIndexedSession(context, id, seen, until);
    });
    yield* await Promise.all(read);
  }
}
