import type { ReactElement } from "react";
import { Icon } from "./icon.js";
import type { Drawer } from "./list/use-drawer.js";
import { useTheme } from "./theme.js";

interface Props {
  readonly title: string;
  readonly drawer: Drawer;
}

/** The title of the open chat, and the switch of the theme. */
export function ChatHeader({ title, drawer }: Props): ReactElement {
  const [theme, toggle] = useTheme();
  return (
    <header className="chat-header">
      <button
        type="button"
        className="icon-button narrow"
        aria-label="Show the chats"
        aria-expanded={drawer.isOpen}
        aria-controls="chats"
        ref={drawer.opener}
        onClick={drawer.open}
      >
        <Icon name="menu" />
      </button>
      <h1 dir="auto" title={title}>
        {title}
      </h1>
      <button
        type="button"
        className="icon-button"
        aria-label={theme === "dark" ? "Use the light theme" : "Use the dark theme"}
        onClick={toggle}
      >
        <Icon name={theme === "dark" ? "sun" : "moon"} />
      </button>
    </header>
  );
}
