import { Button, Code, Group, JsonInput, Stack, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { InputOf } from "../../api/service.ts";
import { useWrite } from "../../api/writes.ts";
import { refusalOf } from "../../parts/refusal.ts";
import { useWords } from "../../words/words.ts";

interface DefinitionSchemaProps {
  readonly definitionRef: InputOf<"property/definition_get">["definitionRef"];
  readonly schema: object | undefined;
  readonly mayEdit: boolean;
}

const shown = (schema: object | undefined): string => (schema ? JSON.stringify(schema, null, 2) : "");

/** The JSON Schema of a property's values, edited as JSON; an empty one allows any value. */
export function DefinitionSchema({ definitionRef, schema, mayEdit }: DefinitionSchemaProps): ReactNode {
  const say = useWords("administration");
  const frame = useWords("frame");
  const [typed, setTyped] = useState<string>();
  const [fault, setFault] = useState<string>();
  const write = useWrite("property/definition_update_schema");
  const leave = (): void => {
    setTyped(undefined);
    setFault(undefined);
  };
  const save = async (): Promise<void> => {
    const value = typed === "" ? undefined : parsed(typed ?? "");
    if (typed !== "" && value === undefined) return setFault(say("notJson"));
    try {
      await write.mutateAsync({ input: { definitionRef, ...(value && { value }) } });
      leave();
    } catch (error) {
      setFault(refusalOf(error));
    }
  };
  return (
    <Stack gap={4}>
      <Text fw={500}>{say("valueSchema")}</Text>
      {typed === undefined ? (
        <>
          {schema ? <Code block>{shown(schema)}</Code> : <Text c="dimmed">{say("anyValue")}</Text>}
          {mayEdit && (
            <Group>
              <Button size="compact-sm" variant="default" onClick={() => setTyped(shown(schema))}>
                {frame("edit")}
              </Button>
            </Group>
          )}
        </>
      ) : (
        <>
          <JsonInput
            aria-label={say("valueSchema")}
            value={typed}
            onChange={setTyped}
            error={fault}
            autosize
            minRows={4}
            maxRows={16}
            autoFocus
            styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
          />
          <Group gap="xs">
            <Button size="compact-sm" loading={write.isPending} onClick={() => void save()}>
              {frame("save")}
            </Button>
            <Button size="compact-sm" variant="default" onClick={leave}>
              {frame("cancel")}
            </Button>
          </Group>
        </>
      )}
    </Stack>
  );
}

/** The JSON object that a text is; undefined where it is none. */
function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}
