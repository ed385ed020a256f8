import type { SessionDocument } from "@sessions/protocol";

/** An invalid document, and the path to what is wrong in it. */
type Broken = readonly [path: string, document: object];

/** Documents that contradict themselves in every possible way, made from an eventful session. */
export function brokenBundles(session: SessionDocument): readonly Broken[] {
  return [
    ...withDuplicates(session),
    ...withFutureRevisions(session),
    ...outOfOrder(session),
    ...miscounted(session),
    ...mistyped(session),
  ];
}

function withDuplicates(session: SessionDocument): readonly Broken[] {
  const { commits, finishedTurns, snapshots, archives, messages } = session;
  const repeated = <Entry>(entries: readonly Entry[]): readonly Entry[] => [
    ...entries,
    ...entries.slice(0, 1),
  ];
  return [
    [
      `commits.entries[${commits.entries.length}].id`,
      { ...session, commits: { ...commits, entries: repeated(commits.entries) } },
    ],
    [
      `finishedTurns.entries[${finishedTurns.entries.length}].id`,
      { ...session, finishedTurns: { ...finishedTurns, entries: repeated(finishedTurns.entries) } },
    ],
    [`snapshots[${snapshots.length}].name`, { ...session, snapshots: repeated(snapshots) }],
    [`archives[${archives.length}]`, { ...session, archives: repeated(archives) }],
    ["messages", { ...session, messages: repeated(messages), revisions: repeated(session.revisions) }],
  ];
}

function withFutureRevisions(session: SessionDocument): readonly Broken[] {
  const { revision, revisions, snapshots, commits, finishedTurns } = session;
  const later = revision + 1;
  return [
    ["revision", { ...session, revision: 2 ** 53 - 1 }],
    ["revisions[0]", { ...session, revisions: [later, ...revisions.slice(1)] }],
    [
      "snapshots[0].revision",
      { ...session, snapshots: snapshots.map((snapshot) => ({ ...snapshot, revision: later })) },
    ],
    ["commits.entries[0].revision", { ...session, commits: withRevision(commits, later) }],
    ["finishedTurns.entries[0].revision", { ...session, finishedTurns: withRevision(finishedTurns, later) }],
  ];
}

/** Messages with a lower revision than the one before them. */
function outOfOrder(session: SessionDocument): readonly Broken[] {
  const { revision, revisions, snapshots } = session;
  const descending = [revision, ...revisions.slice(1).map(() => 1)];
  const [first] = snapshots;
  return [
    ["revisions[1]", { ...session, revisions: descending }],
    [
      "snapshots[0].revisions[0]",
      { ...session, snapshots: [{ ...first, revisions: first?.revisions.map(() => 0) }] },
    ],
  ];
}

function withRevision<Memory extends { readonly entries: readonly object[] }>(
  memory: Memory,
  revision: number,
): object {
  return { ...memory, entries: memory.entries.map((entry) => ({ ...entry, revision })) };
}

function miscounted(session: SessionDocument): readonly Broken[] {
  const { snapshots, archives, revisions } = session;
  const [first] = snapshots;
  const count = (first?.messageCount ?? 0) + 1;
  return [
    ["snapshots[0].messageCount", { ...session, snapshots: [{ ...first, messageCount: count }] }],
    ["snapshots[0].shared", { ...session, snapshots: [{ ...first, shared: session.messages.length + 1 }] }],
    ["archives[0]", { ...session, archives: archives.map((archive) => ({ ...archive, messageCount: 999 })) }],
    ["revisions", { ...session, revisions: revisions.slice(1) }],
  ];
}

function mistyped(session: SessionDocument): readonly Broken[] {
  const { commits, metadata } = session;
  const entry = { ...commits.entries[0] };
  return [
    [
      "commits.entries[0].digest",
      { ...session, commits: { ...commits, entries: [{ ...entry, digest: 1 }] } },
    ],
    [
      "commits.entries[0].skipped[0]",
      { ...session, commits: { ...commits, entries: [{ ...entry, skipped: [1] }] } },
    ],
    ["commits.horizon", { ...session, commits: { ...commits, horizon: -1 } }],
    ["counters.turns", { ...session, counters: { turns: 2 ** 53 } }],
    ["labels.agent", { ...session, labels: { agent: 1 } }],
    ["metadata.gone", { ...session, metadata: { ...metadata, gone: null } }],
    ["incarnation", { ...session, incarnation: "" }],
  ];
}
