import { Menu } from "@mantine/core";
import type { ComponentType, ReactNode } from "react";

/** One line of a menu. */
export interface MenuAction {
  readonly label: string;
  readonly icon: ComponentType<{ readonly size: number }>;
  readonly isDanger?: boolean;
  readonly run: () => void;
}

interface ActionMenuDropdownProps {
  readonly actions: readonly MenuAction[];
  /** Its button. */
  readonly children: ReactNode;
}

/** The menu itself, open at first. */
export function ActionMenuDropdown({ actions, children }: ActionMenuDropdownProps): ReactNode {
  return (
    <Menu position="bottom-end" withinPortal defaultOpened>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ label, icon: Icon, isDanger, run }) => (
          <Menu.Item
            key={label}
            leftSection={<Icon size={16} />}
            {...(isDanger && { c: "var(--mantine-color-error)" })}
            onClick={run}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
