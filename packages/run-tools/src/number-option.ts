/** The number that an option of the command line was given. */
export function numberOption(name: string, text: string, least: number): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= least))
    throw new Error(`--${name} must be a number of at least ${least}`);
  return value;
}

/** The same for a number without a fraction. */
export function wholeNumberOption(name: string, text: string, least: number): number {
  const value = numberOption(name, text, least);
  if (!Number.isSafeInteger(value)) throw new Error(`--${name} must be a whole number`);
  return value;
}
