import { conformance } from "@sessions/conformance";
import { folderPlace } from "./folder-place.js";

// On the disk, also where other temporary files are in memory: see scripts/test.mjs.
const disk = process.env["DISK_TMPDIR"];

await conformance({ name: "json-file", place: () => folderPlace({}, disk) });
