import { conformance } from "@sessions/conformance";
import { folderPlace } from "./folder-place.js";

// Every commit is followed by a rotation: whatever a journal holds must survive one. Left out are sections whose result no
// rotation can change: arguments, waiting, what is read from a state in memory, and damage inside a segment
// (damaged-journal.test.ts has one that begins with a state).
await conformance({
  name: "json-file, always rotating",
  place: () => folderPlace({ rotateBytes: 0 }),
  coveredElsewhere: [
    "abort signals",
    "bounded",
    "close",
    "closed",
    "corruption",
    "describe",
    "foreign and damaged entries",
    "foreign bundles",
    "forks are islands",
    "getArchive",
    "getChatHistory",
    "getChildren",
    "getContext",
    "getMessages",
    "getParent",
    "getSessionTree",
    "hostile options",
    "identity",
    "limits",
    "listArchives",
    "listing",
    "listSnapshots",
    "pair-safety",
    "repeated reads of damage",
    "reported outcomes are true",
    "schema",
    "search",
    "session",
    "sessionExists",
    "several processes take turns",
    "turns",
    "unreachable",
    "what is declared",
  ],
});
