import { ActionIcon } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { type ButtonHTMLAttributes, cloneElement, type ReactElement, type ReactNode, useState } from "react";
import { MenuDropdown, type MenuDropdownProps } from "./floating.tsx";

interface ActionMenuProps extends Omit<MenuDropdownProps, "children"> {
  readonly label: string;
  readonly isQuiet?: boolean;
  readonly button?: ReactElement<ButtonHTMLAttributes<HTMLButtonElement>>;
}

/** A button that opens a menu. Draws nothing without actions. */
export function ActionMenu({ label, isQuiet = false, button: ownButton, ...menu }: ActionMenuProps): ReactNode {
  const [isOpened, setIsOpened] = useState(false);
  if (menu.actions.length === 0) return null;
  const shape = isQuiet ? ({ variant: "subtle", color: "gray" } as const) : ({ variant: "default", size: 36 } as const);
  const element = ownButton ?? (
    <ActionIcon {...shape} aria-label={label}>
      <IconDots size={18} />
    </ActionIcon>
  );
  const button = cloneElement<ButtonHTMLAttributes<HTMLButtonElement>>(element, {
    "aria-haspopup": "menu",
    onClick: () => setIsOpened(true),
  });
  // A list draws many of these buttons; each becomes a menu on its first use.
  return isOpened ? <MenuDropdown {...menu}>{button}</MenuDropdown> : button;
}
