import { ActionIcon, type ActionIconProps } from "@mantine/core";
import type { ComponentPropsWithRef, ComponentType, ReactNode } from "react";

interface IconButtonProps extends ActionIconProps, Omit<ComponentPropsWithRef<"button">, keyof ActionIconProps> {
  readonly label: string;
  readonly icon: ComponentType<{ readonly size: number }>;
  readonly iconSize?: number;
  readonly run?: () => void;
}

/** Grey button with an icon only. */
export function IconButton({ label, icon: Icon, iconSize = 16, run, ...others }: IconButtonProps): ReactNode {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={run} {...others}>
      <Icon size={iconSize} />
    </ActionIcon>
  );
}
