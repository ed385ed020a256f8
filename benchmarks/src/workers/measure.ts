/** Makes one measurement: `measure <work> <runs> <folder>`. */
import { allMeasurements } from "../all-measurements.js";
import { measuredIn } from "../run-measurements.js";
import { live, say } from "../worker-life.js";

await live(async () => {
  const [, , work, runs = "1", folder = ""] = process.argv;
  const measurement = allMeasurements.find((one) => one.work === work);
  if (measurement === undefined) throw new Error(`there is no row "${work}"`);
  say(await measuredIn(measurement, Number(runs), folder));
});
