import { ActionIcon, Group, Switch, Text, Textarea, TextInput } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { KeywordName } from "../../../shared/domain/constraints/keywords.ts";
import { useConstraintWords } from "../../words/constraints.ts";
import { shapeOf } from "./constraint-text.ts";

interface ConstraintFieldProps {
  readonly keyword: KeywordName;
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly remove: () => void;
  /** What the service found wrong with it. */
  readonly fault?: string | undefined;
  readonly hasFocus: boolean;
}

/** The field of one constraint in the form that fits its values. */
export function ConstraintField({ keyword, text, setText, remove, fault, hasFocus }: ConstraintFieldProps): ReactNode {
  const say = useConstraintWords();
  const shape = shapeOf(keyword);
  const isMany = shape === "choices" || shape === "values";
  const label = (
    <Group component="span" gap={6} display="inline-flex">
      {say(keyword)}
      <Text component="span" ff="monospace" fz="xs" c="dimmed" lang="en">
        {keyword}
      </Text>
    </Group>
  );
  const shared = {
    label,
    value: text,
    error: fault && <span lang="en">{fault}</span>,
    autoFocus: hasFocus,
    ...(shape !== "line" && { styles: { input: { fontFamily: "var(--mantine-font-family-monospace)" } } }),
  };
  return (
    <Group gap={6} align="flex-start" wrap="nowrap">
      <div style={{ flex: 1, minWidth: 0 }}>
        {shape === "flag" ? (
          <Switch
            label={label}
            checked={text === "true"}
            error={fault}
            onChange={(event) => setText(String(event.currentTarget.checked))}
          />
        ) : isMany ? (
          <Textarea
            {...shared}
            description={say("lines")}
            autosize
            minRows={2}
            maxRows={12}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        ) : (
          <TextInput
            {...shared}
            {...(shape === "value" && { description: say("value") })}
            {...((shape === "number" || shape === "positive") && { inputMode: "decimal" as const })}
            {...(shape === "count" && { inputMode: "numeric" as const })}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
      </div>
      <ActionIcon
        variant="subtle"
        color="gray"
        mt={shape === "flag" ? 0 : 24}
        size={28}
        aria-label={say("remove", { constraint: say(keyword) })}
        onClick={remove}
      >
        <IconX size={16} />
      </ActionIcon>
    </Group>
  );
}
