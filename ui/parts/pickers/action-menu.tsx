import { ActionIcon } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { type ButtonHTMLAttributes, cloneElement, type ReactElement, type ReactNode } from "react";
import { useOpened } from "../lazily-loaded.tsx";
import type { MenuDropdownProps } from "./floating.tsx";
import { MenuDropdown } from "./lazy-floating.tsx";

interface ActionMenuProps extends Omit<MenuDropdownProps, "children"> {
  readonly label: string;
  /** Draws the button without a border, for rows. */
  readonly isQuiet?: boolean;
  /** The button in place of the one with three dots. */
  readonly button?: ReactElement<ButtonHTMLAttributes<HTMLButtonElement>>;
}

/** A button that opens a menu. Draws nothing without actions. */
export function ActionMenu({ label, isQuiet = false, button: given, ...menu }: ActionMenuProps): ReactNode {
  const { isOpened, near, open } = useOpened(MenuDropdown);
  if (menu.actions.length === 0) return null;
  const shape = isQuiet ? ({ variant: "subtle", color: "gray" } as const) : ({ variant: "default", size: 36 } as const);
  const drawn = given ?? (
    <ActionIcon {...shape} aria-label={label}>
      <IconDots size={18} />
    </ActionIcon>
  );
  const button = cloneElement<ButtonHTMLAttributes<HTMLButtonElement>>(drawn, {
    "aria-haspopup": "menu",
    onClick: open,
  });
  return (
    <span className="around" {...near}>
      {isOpened ? <MenuDropdown {...menu}>{button}</MenuDropdown> : button}
    </span>
  );
}
