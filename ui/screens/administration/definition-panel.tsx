import { Button, Code, Group, JsonInput, MultiSelect, SegmentedControl, Stack, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { type TextEdit, useTextEdit } from "../../api/edits.ts";
import { useRead } from "../../api/reads.ts";
import { toRef } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import type { InputOf, OutputOf } from "../../api/service.ts";
import { useWrite } from "../../api/writes.ts";
import { EditorForm } from "../../parts/dialog.tsx";
import { DeleteButton } from "../../parts/dialogs/confirm-delete.tsx";
import { type CreateProps, FormDialog } from "../../parts/dialogs/form-dialog.tsx";
import { Facts } from "../../parts/facts.tsx";
import { LoadedBody } from "../../parts/loaded.tsx";
import { Panel } from "../../parts/page.tsx";
import { ProblemBox } from "../../parts/problem-box.tsx";
import { formatRefusal } from "../../parts/refusal.ts";
import { EditableText } from "../../parts/text/editable-text.tsx";
import { KeyText } from "../../parts/text/key-text.tsx";
import { useWords } from "../../words/words.ts";
import type { RowPanelProps } from "./administration-frame.tsx";

type Definition = OutputOf<"property/definition_get">;
type DefinitionRef = InputOf<"property/definition_get">["definitionRef"];
type Kinds = NonNullable<InputOf<"property/definition_update_kinds">["value"]>;

const KINDS: Kinds = ["model", "type", "entity", "relationship", "attribute", "business_key", "tag", "tag_group"];

/** Panel of a property definition, edited in place. */
export function DefinitionPanel({ id, close }: RowPanelProps): ReactNode {
  const definitionRef = toRef(`key:${id}`);
  const read = useRead("property/definition_get", { definitionRef });
  return (
    <Panel title={read.data?.body.name ?? id} close={close}>
      <LoadedBody read={read}>{(body) => <Body body={body} definitionRef={definitionRef} close={close} />}</LoadedBody>
    </Panel>
  );
}

interface BodyProps extends Pick<RowPanelProps, "close"> {
  readonly body: Definition;
  readonly definitionRef: DefinitionRef;
}

function Body({ body, definitionRef, close }: BodyProps) {
  const say = useWords("administration");
  const mayEdit = useMay()("property/definition_update_name");
  const kinds = useWrite("property/definition_update_kinds");
  const impact = useWrite("property/definition_update_impact");
  const problem = kinds.error ?? impact.error;
  const name = useDefinitionText(definitionRef, "name");
  const description = useDefinitionText(definitionRef, "description");
  return (
    <Stack gap="md">
      <Facts
        facts={{
          [say("propertyName")]: <KeyText value={body.key} />,
          [say("name")]: <EditableText label={say("name")} edit={name} />,
          [say("description")]: <EditableText label={say("description")} edit={description} kind="markdown" />,
        }}
      />
      {problem && <ProblemBox problem={problem} />}
      <MultiSelect
        label={say("kinds")}
        placeholder={body.kinds ? "" : say("allKinds")}
        data={KINDS.map((kind) => ({ value: kind, label: kind.replace("_", " ") }))}
        value={[...(body.kinds ?? [])]}
        readOnly={!mayEdit}
        onChange={(values) =>
          kinds.mutate({ input: { definitionRef, ...(values.length > 0 && { value: values as unknown as Kinds }) } })
        }
      />
      <div>
        <Text fw={500} mb={4}>
          {say("impact")}
        </Text>
        <SegmentedControl
          aria-label={say("impact")}
          value={body.impact}
          readOnly={!mayEdit}
          data={(["cosmetic", "breaking"] as const).map((value) => ({ value, label: say(value) }))}
          onChange={(value) => impact.mutate({ input: { definitionRef, value: value as Definition["impact"] } })}
        />
      </div>
      <DefinitionSchema definitionRef={definitionRef} mayEdit={mayEdit} schema={body.schema} />
      {mayEdit && (
        <DeleteButton
          action="property/definition_delete"
          input={{ definitionRef }}
          what={say("definitionNoun", { name: body.key })}
          onDone={close}
          renderButton={(ask) => (
            <Button variant="subtle" color="red" onClick={ask}>
              {say(body.comesWithService ? "resetDefinition" : "deleteDefinition")}
            </Button>
          )}
        />
      )}
    </Stack>
  );
}

const useDefinitionText = (definitionRef: DefinitionRef, field: "name" | "description"): TextEdit =>
  useTextEdit({
    read: "property/definition_get",
    input: { definitionRef },
    pick: (body) => body[field],
    put: (body, value) => ({ ...body, [field]: value }),
    write: `property/definition_update_${field}` as const,
    toInput: (value) => ({ definitionRef, ...(value !== "" && { value }) }),
  });

interface DefinitionSchemaProps {
  readonly definitionRef: DefinitionRef;
  readonly schema: object | undefined;
  readonly mayEdit: boolean;
}

const formatSchema = (schema: object | undefined) => (schema ? JSON.stringify(schema, null, 2) : "");

/** JSON Schema of a property, edited as JSON; an empty one allows any value. */
function DefinitionSchema({ definitionRef, schema, mayEdit }: DefinitionSchemaProps) {
  const say = useWords("administration");
  const [input, setInput] = useState<string>();
  const frame = useWords("frame");
  const write = useWrite("property/definition_update_schema");
  const save = async () => {
    const value = input ? parseSchema(input) : undefined;
    if (input && !value) throw new Error(say("notJson"));
    await write.mutateAsync({ input: { definitionRef, ...(value && { value }) } });
  };
  return (
    <Stack gap={4}>
      <Text fw={500}>{say("valueSchema")}</Text>
      {input === undefined ? (
        <>
          {schema ? <Code block>{formatSchema(schema)}</Code> : <Text c="dimmed">{say("anyValue")}</Text>}
          {mayEdit && (
            <Group>
              <Button size="compact-sm" variant="default" onClick={() => setInput(formatSchema(schema))}>
                {frame("edit")}
              </Button>
            </Group>
          )}
        </>
      ) : (
        <EditorForm save={save} leave={() => setInput(undefined)}>
          {(problem) => (
            <JsonInput
              aria-label={say("valueSchema")}
              value={input}
              onChange={setInput}
              error={problem !== undefined && formatRefusal(problem)}
              autosize
              minRows={4}
              maxRows={16}
              autoFocus
              styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
            />
          )}
        </EditorForm>
      )}
    </Stack>
  );
}

function parseSchema(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Dialog that defines a property. */
export function NewDefinition({ close, onCreated }: CreateProps): ReactNode {
  const say = useWords("administration");
  const write = useWrite("property/definition_create");
  return (
    <FormDialog
      title={say("newDefinition")}
      submit={say("createDefinition")}
      fields={{ key: { label: say("propertyName"), required: true }, name: { label: say("name") } }}
      write={write}
      send={({ key, name }) =>
        write.mutate({ input: { key, ...(name !== "" && { name }) } }, { onSuccess: () => onCreated(key) })
      }
      close={close}
    />
  );
}
