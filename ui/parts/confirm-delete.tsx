import type { ReactNode } from "react";
import type { ActionName } from "../api/service.ts";
import type { ConfirmDeleteProps } from "./confirm-delete-dialog.tsx";
import { openedLater } from "./opened-later.tsx";

const Dialog = openedLater(async () => (await import("./confirm-delete-dialog.tsx")).ConfirmDeleteDialog<ActionName>);

/** Asks before something is deleted, and shows first what would go with it; loaded when somebody asks for it. */
export function ConfirmDelete<N extends ActionName>(props: ConfirmDeleteProps<N>): ReactNode {
  return (
    // Action and input belong together, which the lazy module cannot tell of one another.
    <Dialog {...(props as unknown as ConfirmDeleteProps<ActionName>)} />
  );
}
