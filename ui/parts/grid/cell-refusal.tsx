import { Popover, Text } from "@mantine/core";
import type { ReactNode } from "react";

/** Why a cell was not saved, below the cell. */
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
