import { Drawer } from "@mantine/core";
import type { ReactNode } from "react";

interface SheetProps {
  readonly label: string;
  readonly close: () => void;
  readonly children: ReactNode;
}

/** The rail as a sheet over the screen, on phones. */
export function Sheet({ label, close, children }: SheetProps): ReactNode {
  return (
    <Drawer.Root opened onClose={close} size={280} padding={0}>
      <Drawer.Overlay />
      <Drawer.Content aria-label={label}>{children}</Drawer.Content>
    </Drawer.Root>
  );
}
