import type { Section } from "../case.js";
import { createSession } from "./create-session.js";

/** Every section of the kit, in the order of the contract. */
export const sections: readonly Section[] = [createSession];
