export { MemoryBackend } from "../memory-backend.js";
