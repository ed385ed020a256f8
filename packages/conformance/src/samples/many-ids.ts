/** More ids than the stack of a Lua script or the parameters of an SQL statement can hold. */
export const MANY_IDS = 8_200;
