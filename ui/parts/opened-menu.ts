import { type RefObject, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { dropKeys, holdKeys } from "./held-keys.ts";
import type { OpenedLater } from "./opened-later.tsx";

/** A menu that is loaded when it is opened. */
export interface OpenedMenu {
  readonly isAsked: boolean;
  readonly open: () => void;
  /** Spread around its button: loads it before it is opened. */
  readonly near: {
    readonly ref: RefObject<HTMLSpanElement | null>;
    readonly onFocus: () => void;
    readonly onPointerOver: () => void;
  };
}

/** Loads a menu as soon as somebody comes near to its button, and keeps for it what is pressed before it is there. */
export function useOpenedMenu<P>({ preload, isThere }: OpenedLater<P>): OpenedMenu {
  const [isAsked, setAsked] = useState(false);
  const ref = useRef<HTMLSpanElement>(null);
  useEffect(() => (isAsked ? dropKeys : undefined), [isAsked]);
  const load = (): void => void (isThere() || preload());
  const giveUp = (): void => {
    flushSync(() => setAsked(false));
    // It was drawn anew, beside the menu and without.
    ref.current?.querySelector("button")?.focus();
  };
  const open = (): void => {
    if (!isThere()) holdKeys(giveUp);
    setAsked(true);
  };
  return { isAsked, open, near: { ref, onFocus: load, onPointerOver: load } };
}
