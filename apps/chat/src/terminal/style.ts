/** Functions that add colours to text. */
export interface Style {
  readonly dim: (text: string) => string;
  readonly bold: (text: string) => string;
  readonly alarming: (text: string) => string;
}

const coded =
  (on: number, off: number) =>
  (text: string): string =>
    `\x1b[${on}m${text}\x1b[${off}m`;

const plain = (text: string): string => text;

const COLOURED: Style = { dim: coded(2, 22), bold: coded(1, 22), alarming: coded(31, 39) };
const PLAIN: Style = { dim: plain, bold: plain, alarming: plain };

/** Colours if the output is a terminal and the user has not turned them off. */
export function styleFor(interactive: boolean, env: NodeJS.ProcessEnv): Style {
  const refused = (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb";
  return interactive && !refused ? COLOURED : PLAIN;
}
