import { eventsOf, textIn, turnWith } from "../built-in-model/conversation.js";

/** The long story, whole. */
export const longStory = async (): Promise<string> =>
  textIn(await eventsOf(turnWith(["tell me a long story"])));
