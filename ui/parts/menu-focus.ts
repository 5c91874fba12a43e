import { useId } from "react";

/**
 * What a menu needs that is loaded when it is opened: its button, drawn anew within it, has the focus again when it closes.
 * To be spread on `Menu`.
 */
export function useMenuFocus(): { readonly id: string; readonly onClose: () => void } {
  const id = useId();
  // The library gives the button of a menu its id.
  return { id, onClose: () => document.getElementById(id)?.focus() };
}
