import type { ReactNode } from "react";

/** How many there are, behind the name of a tab. */
export function Count({ children }: { readonly children: number }): ReactNode {
  return <span style={{ marginInlineStart: 4, color: "var(--mantine-color-dimmed)" }}>{children}</span>;
}
