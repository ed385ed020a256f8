import type { Bar } from "../bar.js";
import type { Unit } from "../row.js";

/** A figure with its significant digits. */
function figure(value: number): string {
  if (!Number.isFinite(value)) return "–";
  return value.toFixed(Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2);
}

export function figureIn(unit: Unit, value: number): string {
  if (!Number.isFinite(value)) return figure(value);
  return unit === "×" ? `${figure(value)}×` : `${figure(value)} ${unit}`;
}

export function spreadText([low, high]: readonly [number, number]): string {
  return Number.isFinite(low) ? `${figure(low)}–${figure(high)}` : figure(low);
}

export function barText({ side, value }: Bar, unit: Unit): string {
  return `${side === "at most" ? "≤" : "≥"} ${value}${unit === "×" ? "×" : ` ${unit}`}`;
}
