import { runCase, sections } from "@sessions/conformance";
import { describe, test } from "vitest";
import { sweptPlace } from "./swept-place.js";

const SEED = Number(process.env["SESSIONS_SEED"] ?? Math.floor(Math.random() * 2 ** 31));

describe(`two instances that sweep all the time agree with the model (seed ${SEED})`, {
  timeout: 900_000,
}, () => {
  for (const one of sections.find(({ name }) => name === "model")?.cases ?? [])
    test(one.name, () => runCase({ name: "sqlite", place: sweptPlace }, one, SEED));
});
