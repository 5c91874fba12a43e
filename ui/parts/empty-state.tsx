import { Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

interface EmptyStateProps {
  readonly title: string;
  /** Says what would be here. */
  readonly text?: ReactNode;
  readonly icon?: ReactNode;
  /** True where it stands for the whole page, whose title it is then. */
  readonly isPage?: boolean;
  /** The first step. */
  readonly action?: ReactNode;
}

/** Stands where nothing is: says what would be here and offers the first step. */
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
