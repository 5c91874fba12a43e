import { type KeyboardEvent, useCallback, useId, useState } from "react";
import { handOverKeys } from "./held-keys.ts";

/** What is spread on a menu, and on its dropdown. */
export interface MenuFocus {
  readonly menu: {
    readonly id: string;
    readonly opened: boolean;
    readonly onChange: (opened: boolean) => void;
    readonly onClose: () => void;
    readonly trapFocus: false;
    readonly returnFocus: false;
  };
  readonly dropdown: {
    readonly ref: (dropdown: HTMLElement | null) => void;
    readonly onKeyDown: (event: KeyboardEvent) => void;
  };
}

/**
 * What a menu needs that is loaded when it is opened, and open at first: its first entry has the focus as soon as it is
 * drawn, and its button, drawn anew within it, when it closes. The library gives the focus later, in timers that a busy page
 * runs after the next keys, and so takes it back from the entry that was gone to.
 */
export function useMenuFocus(): MenuFocus {
  const id = useId();
  const [opened, setOpened] = useState(true);
  // The library gives the button of a menu its id.
  const toButton = useCallback(() => document.getElementById(id)?.focus(), [id]);
  const ref = useCallback((dropdown: HTMLElement | null) => {
    // Once the library has noted what had the focus before, and before any key.
    if (!dropdown) return;
    queueMicrotask(() => {
      firstEntry(dropdown)?.focus({ preventScroll: true });
      handOverKeys();
    });
  }, []);
  // As in every menu, Tab leaves it and goes on from its button.
  const onKeyDown = ({ key }: KeyboardEvent): void => {
    if (key !== "Tab") return;
    toButton();
    setOpened(false);
  };
  return {
    menu: { id, opened, onChange: setOpened, onClose: toButton, trapFocus: false, returnFocus: false },
    dropdown: { ref, onKeyDown },
  };
}

const firstEntry = (dropdown: HTMLElement): HTMLElement | null =>
  dropdown.querySelector<HTMLElement>("[data-menu-item]:not(:disabled)");
