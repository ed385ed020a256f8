// What is evaluated in the page uses its types.
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { Page } from "playwright-core";

/** WCAG AA, for text of any size. */
const ENOUGH = 4.5;

/** The texts of the page that have too little contrast to what is behind them, with their contrast. */
export function lowContrasts(page: Page): Promise<readonly string[]> {
  return page.evaluate((enough) => {
    type Color = readonly [red: number, green: number, blue: number, alpha: number];
    const colorIn = (text: string): Color => {
      const [red = 0, green = 0, blue = 0, alpha = 1] = (text.match(/[\d.]+/g) ?? []).map(Number);
      return [red, green, blue, alpha];
    };
    const luminance = (color: Color): number => {
      const [red = 0, green = 0, blue = 0] = color.slice(0, 3).map((channel) => {
        const share = channel / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const behind = (element: Element | null): Color => {
      if (element === null) return [255, 255, 255, 1];
      const color = colorIn(getComputedStyle(element).backgroundColor);
      return color[3] === 0 ? behind(element.parentElement) : color;
    };
    const contrast = (element: Element): number => {
      const [text, back] = [luminance(colorIn(getComputedStyle(element).color)), luminance(behind(element))];
      return (Math.max(text, back) + 0.05) / (Math.min(text, back) + 0.05);
    };
    const hasText = ({ childNodes }: Element): boolean =>
      [...childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== "");
    return [...document.body.querySelectorAll("*")]
      .filter((element) => hasText(element) && element.checkVisibility({ visibilityProperty: true }))
      .filter((element) => !(element instanceof HTMLButtonElement && element.disabled))
      .map((element) => ({ text: element.textContent ?? "", contrast: contrast(element) }))
      .filter((found) => found.contrast < enough)
      .map((found) => `${found.contrast.toFixed(2)} ${found.text.slice(0, 40)}`);
  }, ENOUGH);
}

const CONTROLS = new Set([
  "button",
  "link",
  "textbox",
  "dialog",
  "navigation",
  "complementary",
  "article",
  "image",
]);

/** The roles of controls and parts of the page that a screen reader has no name for. */
export async function nodesWithoutNames(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  const found = nodes.filter(({ ignored, role }) => !ignored && CONTROLS.has(String(role?.value)));
  if (found.length === 0) throw new Error("The tree of the page has no controls.");
  return found
    .filter(({ name }) => String(name?.value ?? "").trim() === "")
    .map(({ role }) => String(role?.value));
}

/** What Tab reaches. */
export interface TabStop {
  readonly name: string;
  /** Whether the focus can be seen: at the element, or around it. */
  readonly isShown: boolean;
}

/** What Tab reaches, from the beginning of the page to its end. */
export async function tabStops(page: Page): Promise<readonly TabStop[]> {
  await page.evaluate(() => {
    document.body.tabIndex = -1;
    document.body.focus();
  });
  const stops: TabStop[] = [];
  for (;;) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate(() => {
      const { activeElement } = document;
      if (activeElement === null || activeElement === document.body) return undefined;
      const name = activeElement.getAttribute("aria-label") ?? activeElement.textContent?.trim() ?? "";
      const outlined = [activeElement, activeElement.parentElement].filter(
        (element) => element !== null && getComputedStyle(element).outlineStyle !== "none",
      );
      return { name, isShown: outlined.length > 0 };
    });
    if (stop === undefined || stops.length > 50) return stops;
    stops.push(stop);
  }
}
