import { agentsItemShapes } from "./agents-item.js";
import { anthropicShapes } from "./anthropic.js";
import { entryShapes } from "./entry.js";
import { modelMessageShapes } from "./model-message.js";
import { chatShapes } from "./openai-chat.js";
import { plainShapes } from "./plain.js";
import { responseItemShapes } from "./responses-item.js";
import type { Shape } from "./shape.js";
import { uiMessageShapes } from "./ui-message.js";

/** Every known shape, as literals: the providers' packages are not needed to store their messages. */
export const allShapes: readonly Shape[] = [
  ...plainShapes,
  ...modelMessageShapes,
  ...uiMessageShapes,
  ...chatShapes,
  ...responseItemShapes,
  ...agentsItemShapes,
  ...entryShapes,
  ...anthropicShapes,
];
