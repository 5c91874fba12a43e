import { Checkbox, Popover, Stack } from "@mantine/core";
import type { ReactNode } from "react";

interface ColumnsDropdownProps {
  readonly choices: readonly { readonly id: string; readonly title: string }[];
  readonly hidden: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
  /** Its button. */
  readonly children: ReactNode;
}

/** The columns of a grid, each shown or hidden. */
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
