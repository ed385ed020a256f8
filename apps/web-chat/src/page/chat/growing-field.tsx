import { type KeyboardEvent, type ReactElement, type RefObject, useLayoutEffect } from "react";

interface Props {
  readonly label: string;
  readonly placeholder?: string;
  readonly describedBy?: string;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onEnter: () => void;
  readonly onEscape?: () => void;
}

/** A field that is as high as its text. Enter sends it, and Shift+Enter makes a new line. */
export function GrowingField(props: Props): ReactElement {
  const { label, placeholder, describedBy, field, text, onText, onEnter, onEscape } = props;
  useLayoutEffect(() => {
    const { current } = field;
    if (current === null) return;
    current.style.height = "auto";
    current.style.height = `${current.scrollHeight}px`;
  }, [field, text]);
  const onKeyDown = (event: KeyboardEvent): void => {
    // While a character is composed, Enter and Escape are for the input method.
    if (event.nativeEvent.isComposing) return;
    const act = event.key === "Enter" && !event.shiftKey ? onEnter : undefined;
    const leave = event.key === "Escape" ? onEscape : undefined;
    if (act === undefined && leave === undefined) return;
    event.preventDefault();
    (act ?? leave)?.();
  };
  return (
    <textarea
      ref={field}
      aria-label={label}
      aria-describedby={describedBy}
      placeholder={placeholder}
      rows={1}
      dir="auto"
      value={text}
      onChange={({ target }) => onText(target.value)}
      onKeyDown={onKeyDown}
    />
  );
}
