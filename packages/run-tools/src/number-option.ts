/** Parses the value of a command-line option as a number. */
export function numberOption(name: string, text: string, min: number): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= min)) throw new Error(`--${name} must be a number of at least ${min}`);
  return value;
}

/** Parses the value of a command-line option as an integer. */
export function wholeNumberOption(name: string, text: string, min: number): number {
  const value = numberOption(name, text, min);
  if (!Number.isSafeInteger(value)) throw new Error(`--${name} must be a whole number`);
  return value;
}
