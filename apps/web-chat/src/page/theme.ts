import { useEffect, useState } from "react";

/** Light or dark. */
export type Theme = "light" | "dark";

const SYSTEM = matchMedia("(prefers-color-scheme: dark)");
const YEAR_S = 31_536_000;

/**
 * The theme, and a function that switches to the other one. Without a choice it is the system's. A cookie keeps the choice, so that the server
 * sends the page in it; choosing what the system has removes it.
 */
export function useTheme(): readonly [theme: Theme, toggle: () => void] {
  const [system, setSystem] = useState(systemTheme);
  const [chosen, setChosen] = useState(document.documentElement.dataset["theme"]);
  useEffect(() => {
    const follow = (): void => setSystem(systemTheme());
    SYSTEM.addEventListener("change", follow);
    return () => SYSTEM.removeEventListener("change", follow);
  }, []);
  const theme = chosen === "dark" || chosen === "light" ? chosen : system;
  const toggle = (): void => {
    const next = theme === "dark" ? "light" : "dark";
    keep(next === system ? undefined : next);
    setChosen(next === system ? undefined : next);
  };
  return [theme, toggle];
}

const systemTheme = (): Theme => (SYSTEM.matches ? "dark" : "light");

function keep(chosen: Theme | undefined): void {
  const { dataset } = document.documentElement;
  if (chosen === undefined) delete dataset["theme"];
  else dataset["theme"] = chosen;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = `theme=${chosen ?? ""}; path=/; SameSite=Strict; max-age=${chosen === undefined ? 0 : YEAR_S}`;
}
