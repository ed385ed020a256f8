import type { Control } from "./control.js";
export const controls: readonly Control[] = [];
