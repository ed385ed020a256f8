import { conformance } from "@sessions/conformance";
import { filePlace } from "./file-place.js";

// On the disk, also where other temporary files are in memory: see scripts/test.mjs.
const disk = process.env["DISK_TMPDIR"];

await conformance({ name: "sqlite", place: () => filePlace({ search: true }, disk) });
