import type { WorkerTask } from "../worker/worker-task.js";
import { AgentDeliverer } from "./agent-deliverer.js";
import { BotDeliverer } from "./bot-deliverer.js";
import type { Deliverer, DeliveryContext } from "./deliverer.js";
import { DeliveryRecorder } from "./delivery-recorder.js";
import { type Script, ScriptedModel } from "./scripted-model.js";
import { agentUpdate, botUpdate, type Update } from "./update.js";

type TurnTask = Pick<WorkerTask, "target" | "seed" | "modes" | "links" | "slot" | "generation">;

/** The update with this number for a target. */
export function updateOf(task: TurnTask, number: number): Update {
  return task.target === "agents" ? agentUpdate(task, number) : botUpdate(task, number);
}

/** The deliverer of a target. */
export function delivererOf(
  task: TurnTask,
  script: Script,
  context: Omit<DeliveryContext, keyof Script | "recorder" | "model">,
): Deliverer {
  const recorder = new DeliveryRecorder(script.process, script.write);
  const whole = { ...context, ...script, recorder, model: new ScriptedModel(script) };
  return task.target === "agents" ? new AgentDeliverer(whole, task) : new BotDeliverer(whole);
}
