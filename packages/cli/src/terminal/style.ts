/** Functions that add colours to text. */
export interface Style {
  readonly dim: (text: string) => string;
  readonly bold: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly name: (text: string) => string;
}

const coded =
  (on: number, off: number) =>
  (text: string): string =>
    text === "" ? "" : `\x1b[${on}m${text}\x1b[${off}m`;

const plain = (text: string): string => text;

const COLOURED: Style = {
  dim: coded(2, 22),
  bold: coded(1, 22),
  good: coded(32, 39),
  bad: coded(31, 39),
  name: coded(36, 39),
};

const PLAIN: Style = { dim: plain, bold: plain, good: plain, bad: plain, name: plain };

/** Colours if the output is a terminal and the user has not turned them off. */
export function styleFor(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): Style {
  const refused = (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb";
  return isTerminal && !refused ? COLOURED : PLAIN;
}
