import { conformance } from "@sessions/conformance";
import { filePlace } from "./file-place.js";

// With the index, and with no room to keep messages in memory: every message is read from the disk each time.
await conformance({
  name: "sqlite with search, without a cache",
  place: () => filePlace({ search: true, cacheBytes: 0 }),
});
