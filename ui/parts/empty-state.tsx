import { Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

interface EmptyStateProps {
  readonly title: string;
  readonly text?: ReactNode;
  readonly icon?: ReactNode;
  /** True if it replaces the whole page; its title becomes the page title. */
  readonly isPage?: boolean;
  readonly action?: ReactNode;
}

/** Shown for an empty list: explains what belongs here and offers the first step. */
export function EmptyState({ title, text, icon, isPage = false, action }: EmptyStateProps): ReactNode {
  return (
    <Stack align="center" gap="xs" py={48} px="md" maw={520} mx="auto" ta="center">
      {icon && (
        <Text c="dimmed" component="div">
          {icon}
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
