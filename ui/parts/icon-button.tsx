import { ActionIcon, type ActionIconProps, Button, type ButtonProps } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
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

interface AddButtonProps extends ButtonProps {
  readonly label: string;
  readonly run: () => void;
  /** True for a small button in the head of a section. */
  readonly isSmall?: boolean;
}

/** Button that adds something. */
export function AddButton({ label, run, isSmall = false, ...others }: AddButtonProps): ReactNode {
  const small = isSmall && ({ size: "compact-sm", variant: "subtle" } as const);
  return (
    <Button leftSection={<IconPlus size={isSmall ? 14 : 16} aria-hidden />} onClick={run} {...small} {...others}>
      {label}
    </Button>
  );
}
