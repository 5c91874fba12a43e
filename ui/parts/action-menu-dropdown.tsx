import { Menu, type MenuItemProps } from "@mantine/core";
import { createLink, type LinkProps } from "@tanstack/react-router";
import { type AnchorHTMLAttributes, type ComponentType, Fragment, type ReactNode } from "react";
import { useMenuFocus } from "./menu-focus.ts";

/** One line of a menu. */
export interface MenuAction {
  readonly label: string;
  readonly icon?: ComponentType<{ readonly size: number }>;
  readonly isDanger?: boolean;
  readonly isOff?: boolean;
  /** What it does, or where it leads. */
  readonly run?: () => void;
  readonly link?: Pick<LinkProps, "to" | "params" | "search">;
}

type AnchorProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "color" | "style">;

const ItemAnchor = (props: MenuItemProps & AnchorProps): ReactNode => <Menu.Item component="a" {...props} />;
const LinkItem = createLink(ItemAnchor);

interface ActionMenuDropdownProps {
  readonly actions: readonly MenuAction[];
  /** Its button. */
  readonly children: ReactNode;
}

/** The menu itself, open at first; what takes something away stands apart at its end. */
export function ActionMenuDropdown({ actions, children }: ActionMenuDropdownProps): ReactNode {
  const focus = useMenuFocus();
  return (
    <Menu position="bottom-end" withinPortal withInitialFocusPlaceholder={false} {...focus.menu}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown {...focus.dropdown}>
        {actions.map(({ label, icon: Icon, isDanger = false, isOff = false, run, link }, at) => {
          const leftSection = Icon && <Icon size={16} />;
          return (
            <Fragment key={label}>
              {isDanger && at > 0 && <Menu.Divider />}
              {link ? (
                <LinkItem leftSection={leftSection} {...link}>
                  {label}
                </LinkItem>
              ) : (
                <Menu.Item
                  leftSection={leftSection}
                  {...(isDanger && { c: "var(--mantine-color-error)" })}
                  disabled={isOff}
                  onClick={run}
                >
                  {label}
                </Menu.Item>
              )}
            </Fragment>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
