export function guaranteeTable(): string { return ""; }
