import {
  grammyFile,
  grammyRedis,
  type Keeper,
  keyvRedis,
  langChainRedis,
  langGraphSqlite,
  type Peer,
} from "peers";
import { atLeast, type Bar } from "../bar.js";
import { ownJsonFile, ownRedis, ownRelaxedJsonFile, ownSqlite } from "./own-stores.js";

/** A store and a library that do the same work on the same engine. */
export interface Pair {
  readonly ours: Keeper;
  readonly theirs: Peer;
  /** Absent where ours promises more than theirs, and pays for it. */
  readonly bar: Bar | undefined;
  /** Of a conversation of 50 turns, where it is another. */
  readonly conversationBar?: Bar;
}

const AHEAD = atLeast(1);
/** Beside a list or a document that is written without any check, from the first turn on. */
const BESIDE = atLeast(0.95);

/** Every comparison. Another one joins with a file in the package `peers`, and a line here. */
export const pairs: readonly Pair[] = [
  { ours: ownSqlite, theirs: langGraphSqlite, bar: AHEAD },
  { ours: ownRedis, theirs: langChainRedis, bar: AHEAD, conversationBar: BESIDE },
  { ours: ownRedis, theirs: grammyRedis, bar: AHEAD, conversationBar: BESIDE },
  { ours: ownRedis, theirs: keyvRedis, bar: AHEAD },
  { ours: ownRelaxedJsonFile, theirs: grammyFile, bar: AHEAD },
  { ours: ownJsonFile, theirs: grammyFile, bar: undefined },
];

/** Finds a pair by the name that a worker gets. */
export function keeperNamed(name: string | undefined): Keeper {
  const keeper = pairs.flatMap(({ ours, theirs }) => [ours, theirs]).find((each) => each.name === name);
  if (keeper === undefined) throw new Error(`there is no "${name}" to measure`);
  return keeper;
}
