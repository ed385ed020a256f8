import type { TargetName } from "../worker-task.js";
import { AgentDeliverer } from "./agent-deliverer.js";
import { BotDeliverer } from "./bot-deliverer.js";
import type { Deliverer, DeliveryPlace } from "./deliverer.js";
import { DeliveryRecorder } from "./delivery-recorder.js";
import { type Script, ScriptedModel } from "./scripted-model.js";
import { agentUpdate, botUpdate, type Update } from "./update.js";

/** What is delivered to a target, by its number. */
export function updateOf(target: TargetName, seed: number, number: number): Update {
  return target === "agents" ? agentUpdate(seed, number) : botUpdate(seed, number);
}

/** Delivers to the bots or to the agents of a target. */
export function delivererOf(
  { target, seed }: { readonly target: TargetName; readonly seed: number },
  script: Script,
  place: Omit<DeliveryPlace, keyof Script | "recorder" | "model">,
): Deliverer {
  const recorder = new DeliveryRecorder(script.process, script.write);
  const whole = { ...place, ...script, recorder, model: new ScriptedModel(script) };
  return target === "agents" ? new AgentDeliverer(whole, seed) : new BotDeliverer(whole);
}
