import type { KindOfAnswer } from "./kind-of-answer.js";

const NIGHTS = 24;
const NIGHTS_OF_A_SHORT_ONE = 3;

const WEATHER = [
  "The wind came from the north",
  "Fog lay on the water",
  "The sea was flat",
  "It rained without an end",
  "A storm broke two windows",
];
const VISITORS = [
  "a fishing boat passed close by",
  "no ship was to be seen",
  "three sails crossed the light",
  "the post boat brought bread and oil",
  "a gull slept on the rail",
];
const DEEDS = [
  "trimmed the wick",
  "wound up the clockwork",
  "polished the great lens",
  "counted the stairs",
  "mended the rope of the bell",
];

/** A long text that is always the same, to be interrupted. */
export const story: KindOfAnswer = {
  fits: ({ text }) => /\b(story|tale)\b/i.test(text),
  *answer({ text }) {
    const nights = /\blong\b/i.test(text) ? NIGHTS : NIGHTS_OF_A_SHORT_ONE;
    yield {
      say: "The keeper of the lighthouse wrote one line into the journal every night, and no line was ever lost.\n",
    };
    for (let night = 1; night <= nights; night += 1) yield { say: paragraph(night) };
    yield { say: "In the morning the next keeper came, opened the journal, and knew everything." };
  },
};

/** Each list advances at a different rate, so that the sentences repeat late. */
function paragraph(night: number): string {
  const weather = WEATHER[night % WEATHER.length];
  const visitors = VISITORS[(night * 2 + Math.floor(night / 5)) % VISITORS.length];
  const deed = DEEDS[(night * 3 + Math.floor(night / 7)) % DEEDS.length];
  return `Night ${night}. ${weather}, and ${visitors}. The keeper ${deed}, wrote it down, and the light turned until the morning.\n`;
}
