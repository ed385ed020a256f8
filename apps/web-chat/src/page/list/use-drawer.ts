import { type RefObject, useEffect, useRef, useState } from "react";

/** The list of chats on a narrow screen: it opens over the chat. */
export interface Drawer {
  readonly isOpen: boolean;
  readonly open: () => void;
  readonly close: () => void;
  /** The button that opens it, which has the focus again when it is closed. */
  readonly opener: RefObject<HTMLButtonElement | null>;
  /** The button that closes it, which has the focus first. */
  readonly closer: RefObject<HTMLButtonElement | null>;
}

/** The same width as in page.css. */
const WIDE = matchMedia("(min-width: 48rem)");

export function useDrawer(): Drawer {
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const closer = useRef<HTMLButtonElement>(null);
  const close = (): void => setOpen(false);
  useEffect(() => {
    WIDE.addEventListener("change", close);
    return () => WIDE.removeEventListener("change", close);
  });
  useEffect(() => {
    if (!isOpen) return;
    closer.current?.focus();
    const { current } = opener;
    const leave = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      event.preventDefault(); // it does not stop the answer too
      setOpen(false);
    };
    document.addEventListener("keydown", leave);
    return () => {
      document.removeEventListener("keydown", leave);
      current?.focus();
    };
  }, [isOpen]);
  return { isOpen, open: () => setOpen(true), close, opener, closer };
}
