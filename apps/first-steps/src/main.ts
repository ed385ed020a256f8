import { openMemoryStore } from "@sessions/memory";

console.log(typeof openMemoryStore);
