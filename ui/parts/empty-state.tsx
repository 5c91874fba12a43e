import { Stack, Text, Title } from "@mantine/core";
import type { ComponentType, ReactNode } from "react";

interface EmptyStateProps {
  readonly title: string;
  readonly text?: ReactNode;
  readonly icon?: ComponentType<{ readonly size: number; readonly stroke: number; readonly "aria-hidden": boolean }>;
  /** True if it replaces the whole page; its title becomes the page title. */
  readonly isPage?: boolean;
  readonly action?: ReactNode;
}

/** Shown for an empty list: explains what belongs here and offers the first step. */
export function EmptyState({ title, text, icon: Icon, isPage = false, action }: EmptyStateProps): ReactNode {
  return (
    <Stack align="center" gap="xs" py={48} px="md" maw={520} mx="auto" ta="center">
      {Icon && (
        <Text c="dimmed" component="div">
          <Icon size={28} stroke={1.5} aria-hidden />
        </Text>
      )}
      <Title order={isPage ? 1 : 2} size="h2">
        {title}
      </Title>
      {text && <Text c="dimmed">{text}</Text>}
      {action && <div style={{ marginTop: 8 }}>{action}</div>}
    </Stack>
  );
}
