import { openMemoryStore } from "@sessions/memory";
import type { SessionStore } from "@sessions/protocol";

const open: () => SessionStore = openMemoryStore;
console.log(typeof open);
