import type { WorkerTask } from "../worker/worker-task.js";
import { AgentDeliverer } from "./agent-deliverer.js";
import { BotDeliverer } from "./bot-deliverer.js";
import type { Deliverer, DeliveryPlace } from "./deliverer.js";
import { DeliveryRecorder } from "./delivery-recorder.js";
import { type Script, ScriptedModel } from "./scripted-model.js";
import { agentUpdate, botUpdate, type Update } from "./update.js";

type TurnTask = Pick<WorkerTask, "target" | "seed" | "modes" | "links" | "slot" | "life">;

/** What is delivered to a target, by its number. */
export function updateOf(task: TurnTask, number: number): Update {
  return task.target === "agents" ? agentUpdate(task, number) : botUpdate(task, number);
}

/** Delivers to the bots or to the agents of a target. */
export function delivererOf(
  task: TurnTask,
  script: Script,
  place: Omit<DeliveryPlace, keyof Script | "recorder" | "model">,
): Deliverer {
  const recorder = new DeliveryRecorder(script.process, script.write);
  const whole = { ...place, ...script, recorder, model: new ScriptedModel(script) };
  return task.target === "agents" ? new AgentDeliverer(whole, task) : new BotDeliverer(whole);
}
