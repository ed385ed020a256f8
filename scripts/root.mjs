import { fileURLToPath } from "node:url";

/** The repository's top folder, without a slash at its end. */
export const root = fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, "");
