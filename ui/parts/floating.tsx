import { Checkbox, Menu, type MenuItemProps, Popover, Stack, Text } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { createLink, type LinkProps } from "@tanstack/react-router";
import {
  type AnchorHTMLAttributes,
  type ComponentType,
  Fragment,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useCallback,
  useId,
  useState,
} from "react";
import { replayKeys } from "./held-keys.ts";

/** One line of a menu. */
export interface MenuAction {
  readonly label: string;
  readonly icon?: ComponentType<{ readonly size: number }>;
  readonly isDanger?: boolean;
  readonly isOff?: boolean;
  readonly run?: () => void;
  readonly link?: Pick<LinkProps, "to" | "params" | "search">;
}

/** A group of entries of a menu of which exactly one is chosen. */
export interface MenuChoices {
  readonly title: string;
  readonly items: readonly { readonly value: string; readonly label: ReactNode }[];
  readonly chosen: string;
  readonly choose: (value: string) => void;
}

type AnchorProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "color" | "style">;

const ItemAnchor = (props: MenuItemProps & AnchorProps): ReactNode => <Menu.Item component="a" {...props} />;
const LinkItem = createLink(ItemAnchor);

export interface MenuDropdownProps {
  readonly choices?: readonly MenuChoices[];
  readonly actions: readonly MenuAction[];
  /** Draws the menu above its button, inside of the same element. */
  readonly isInRail?: boolean;
  /** The button of the menu. */
  readonly children: ReactElement;
}

/** A menu that is open when it is drawn first; a line separates choices and dangerous actions from the others. */
export function MenuDropdown({ choices = [], actions, isInRail = false, children }: MenuDropdownProps): ReactNode {
  const focus = useMenuFocus();
  // The rail is a landmark and cuts off content that is wider than itself.
  const place = isInRail
    ? ({ position: "top-start", width: 220, withinPortal: false, floatingStrategy: "fixed" } as const)
    : ({ position: "bottom-end" } as const);
  return (
    <Menu {...place} {...focus.menu} withInitialFocusPlaceholder={false}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown {...focus.dropdown}>
        {choices.map((group) => (
          <Fragment key={group.title}>
            <Choices {...group} />
            <Menu.Divider />
          </Fragment>
        ))}
        {actions.map(({ label, icon: Icon, isDanger = false, isOff = false, run, link }, position) => {
          const leftSection = Icon && <Icon size={16} />;
          return (
            <Fragment key={label}>
              {isDanger && position > 0 && <Menu.Divider />}
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

function Choices({ title, items, chosen, choose }: MenuChoices): ReactNode {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of entries of a menu has no element of its own
    <div role="group" aria-label={title}>
      <Menu.Label aria-hidden>{title}</Menu.Label>
      {items.map(({ value, label }) => (
        <Menu.RadioItem
          key={value}
          value={value}
          checked={value === chosen}
          checkIcon={<IconCheck size={16} />}
          closeMenuOnClick
          onChange={() => choose(value)}
        >
          {label}
        </Menu.RadioItem>
      ))}
    </div>
  );
}

/**
 * Focuses the first entry of a menu as soon as the menu is drawn, and its button when it closes. The library does both in
 * timers. On a busy page these run after the next key and take the focus away from the entry that the person moved to.
 */
function useMenuFocus() {
  const id = useId();
  const [opened, setOpened] = useState(true);
  // The library gives the button of a menu this id.
  const focusButton = useCallback(() => document.getElementById(id)?.focus(), [id]);
  const ref = useCallback((dropdown: HTMLElement | null) => {
    if (!dropdown) return;
    // The library first notes which element had the focus.
    queueMicrotask(() => {
      dropdown.querySelector<HTMLElement>("[data-menu-item]:not(:disabled)")?.focus({ preventScroll: true });
      replayKeys();
    });
  }, []);
  // Tab closes a menu and goes on from its button.
  const onKeyDown = ({ key }: KeyboardEvent): void => {
    if (key !== "Tab") return;
    focusButton();
    setOpened(false);
  };
  return {
    menu: { id, opened, onChange: setOpened, onClose: focusButton, trapFocus: false, returnFocus: false },
    dropdown: { ref, onKeyDown },
  } as const;
}

interface ColumnsDropdownProps {
  readonly choices: readonly { readonly id: string; readonly title: string }[];
  readonly hidden: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
  /** The button of the list. */
  readonly children: ReactNode;
}

/** The columns of a grid, each with a check box to show it; open when it is drawn first. */
export function ColumnsDropdown({ choices, hidden, toggle, children }: ColumnsDropdownProps): ReactNode {
  return (
    <Popover position="bottom-start" withinPortal trapFocus defaultOpened>
      <Popover.Target>{children}</Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          {choices.map(({ id, title }) => (
            <Checkbox key={id} label={title} checked={!hidden.has(id)} onChange={() => toggle(id)} />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

/** The reason why a cell was not saved, below the cell. */
export function CellRefusal({ text }: { readonly text: string }): ReactNode {
  return (
    <Popover opened position="bottom-start" width={320} withinPortal>
      <Popover.Target>
        <div />
      </Popover.Target>
      <Popover.Dropdown>
        <Text size="sm" c="var(--mantine-color-error)" lang="en" role="alert">
          {text}
        </Text>
      </Popover.Dropdown>
    </Popover>
  );
}
