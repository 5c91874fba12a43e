import { ActionIcon } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import type { ReactElement, ReactNode } from "react";
import type { MenuAction } from "./action-menu-dropdown.tsx";
import { openedLater } from "./opened-later.tsx";
import { useOpenedMenu } from "./opened-menu.ts";

const ActionMenuDropdown = openedLater(
  async () => (await import("./action-menu-dropdown.tsx")).ActionMenuDropdown,
  ({ children }) => children,
);

interface ActionMenuProps {
  readonly label: string;
  readonly actions: readonly MenuAction[];
  /** Without a border, for rows. */
  readonly isQuiet?: boolean;
  /** Draws another button than that with three dots. */
  readonly button?: (open: () => void) => ReactElement;
}

/** A button with three dots and the actions behind it; the menu is loaded when somebody comes near to it. */
export function ActionMenu({ label, actions, isQuiet = false, button: drawn }: ActionMenuProps): ReactNode {
  const { isAsked, open, near } = useOpenedMenu(ActionMenuDropdown);
  const button = drawn?.(open) ?? (
    <ActionIcon
      variant={isQuiet ? "subtle" : "default"}
      {...(isQuiet ? { color: "gray" } : { size: 36 })}
      aria-label={label}
      aria-haspopup="menu"
      onClick={open}
    >
      <IconDots size={18} />
    </ActionIcon>
  );
  if (actions.length === 0) return null;
  return (
    <span className="around" {...near}>
      {isAsked ? <ActionMenuDropdown actions={actions}>{button}</ActionMenuDropdown> : button}
    </span>
  );
}
