import { conformance } from "@sessions/conformance";
import { folderPlace } from "./folder-place.js";

// Every commit is followed by a rotation: whatever a journal holds must come through one.
await conformance({ name: "json-file, always rotating", place: () => folderPlace({ rotateBytes: 0 }) });
