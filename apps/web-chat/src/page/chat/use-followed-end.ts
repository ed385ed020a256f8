import { type RefObject, useLayoutEffect, useRef } from "react";

/** A scrolled area whose end stays in view while its content grows, unless its user has scrolled away from it. */
export interface FollowedEnd {
  readonly area: RefObject<HTMLDivElement | null>;
  readonly onScroll: () => void;
  /** Follows the end again. */
  readonly toEnd: () => void;
}

/** How near to the end counts as being there. */
const NEAR_PX = 40;

export function useFollowedEnd(content: unknown): FollowedEnd {
  const area = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  useLayoutEffect(() => {
    if (area.current !== null && follows.current) area.current.scrollTop = area.current.scrollHeight;
  }, [content]);
  const onScroll = (): void => {
    if (area.current === null) return;
    const { scrollHeight, scrollTop, clientHeight } = area.current;
    follows.current = scrollHeight - scrollTop - clientHeight < NEAR_PX;
  };
  const toEnd = (): void => {
    follows.current = true;
  };
  return { area, onScroll, toEnd };
}
