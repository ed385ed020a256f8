import type { Guarantee, Section } from "../src/index.js";

/** The names of the guarantees in the contract. */
const GUARANTEES: Readonly<Record<Guarantee, string>> = {
  G1: "Nothing acknowledged is lost",
  G2: "All or nothing",
  G3: "Read-fresh",
  G4: "No lost update",
  G5: "Revision",
  G6: "Exactly once",
  G7: "Fencing",
  G8: "Corruption is loud",
  G9: "Fidelity",
  G10: "Identity",
  G11: "Pair-safety",
  G12: "Replace keeps identity",
  G13: "Forks are islands",
  G14: "Snapshots are states",
  G15: "Archives never resurrect, never vanish",
  G16: "Expiry is whole",
  G17: "Listing is complete",
  G18: "Bounded",
  G19: "Closed is closed",
  G20: "Schema-safe",
};

/** The README's table: the sections that prove each guarantee, with the number of their cases, the largest first. */
export function guaranteeTable(sections: readonly Section[]): string {
  const rows = Object.entries(GUARANTEES).map(([number, name]) => {
    const counts = countsOf(sections, (guarantees) => guarantees.includes(number));
    return `| **${number}** ${name} | ${total(counts)} | ${listed(counts)} |`;
  });
  const plain = countsOf(sections, (guarantees) => guarantees.length === 0);
  return [
    "| guarantee | cases | sections |",
    "|---|---:|---|",
    ...rows,
    `| the surface itself | ${total(plain)} | ${listed(plain)} |`,
  ].join("\n");
}

type Count = readonly [section: string, cases: number];

function countsOf(
  sections: readonly Section[],
  proves: (guarantees: readonly string[]) => boolean,
): readonly Count[] {
  return sections
    .map((section): Count => [section.name, section.cases.filter((one) => proves(one.guarantees)).length])
    .filter(([, cases]) => cases > 0)
    .toSorted(([, a], [, b]) => b - a);
}

function total(counts: readonly Count[]): number {
  return counts.reduce((sum, [, cases]) => sum + cases, 0);
}

function listed(counts: readonly Count[]): string {
  return counts.map(([section, cases]) => `${section} (${cases})`).join(", ");
}
