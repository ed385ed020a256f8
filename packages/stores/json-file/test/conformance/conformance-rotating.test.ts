import { conformance } from "@sessions/conformance";
import { folderPlace } from "./folder-place.js";

// Every commit is followed by a rotation: whatever a journal holds must come through one. Sections that do not depend on
// how a journal is cut into segments run in conformance.test.ts alone.
await conformance({
  name: "json-file, always rotating",
  place: () => folderPlace({ rotateBytes: 0 }),
  coveredElsewhere: [
    "abort signals",
    "closed",
    "foreign and damaged entries",
    "foreign bundles",
    "getContext",
    "hostile options",
    "identity",
    "limits",
    "listing",
    "pair-safety",
    "reported outcomes are true",
    "session",
    "several processes take turns",
    "turns",
  ],
});
