import { Button, MultiSelect, SegmentedControl, Stack, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useRead } from "../../api/reads.ts";
import { refOf } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import type { InputOf, OutputOf } from "../../api/service.ts";
import { useTextEdit } from "../../api/text-edit.ts";
import { useWrite } from "../../api/writes.ts";
import { ConfirmDelete } from "../../parts/confirm-delete.tsx";
import { EditableText } from "../../parts/editable-text.tsx";
import { KeyText } from "../../parts/key-text.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Panel } from "../../parts/panel.tsx";
import { ProblemBox } from "../../parts/problem-box.tsx";
import { useWords } from "../../words/words.ts";
import { DefinitionSchema } from "./definition-schema.tsx";
import { Facts } from "./facts.tsx";

interface DefinitionPanelProps {
  /** The name of the property. */
  readonly name: string;
  readonly close: () => Promise<unknown>;
}

type Definition = OutputOf<"property/definition_get">;
type DefinitionRef = InputOf<"property/definition_get">["definitionRef"];
type Kinds = NonNullable<InputOf<"property/definition_update_kinds">["value"]>;
type DefinitionText = "property/definition_update_name" | "property/definition_update_description";

const KINDS: Kinds = ["model", "type", "entity", "relationship", "attribute", "business_key", "tag", "tag_group"];

/** One definition of a property beside the list, edited in place. */
export function DefinitionPanel({ name, close }: DefinitionPanelProps): ReactNode {
  const definitionRef = refOf(`key:${name}`);
  const read = useRead("property/definition_get", { definitionRef });
  return (
    <Panel title={read.data?.body.name ?? name} close={close}>
      <Loaded read={read}>{(body) => <Body body={body} definitionRef={definitionRef} close={close} />}</Loaded>
    </Panel>
  );
}

interface BodyProps {
  readonly body: Definition;
  readonly definitionRef: DefinitionRef;
  readonly close: () => Promise<unknown>;
}

function Body({ body, definitionRef, close }: BodyProps): ReactNode {
  const say = useWords("administration");
  const mayEdit = useMay()("property/definition_update_name");
  const kinds = useWrite("property/definition_update_kinds");
  const impact = useWrite("property/definition_update_impact");
  const [deleting, setDeleting] = useState(false);
  const problem = kinds.error ?? impact.error;
  const text = { definitionRef, mayEdit };
  return (
    <Stack gap="md">
      <Facts
        facts={[
          [say("propertyName"), <KeyText key="key" value={body.key} />],
          [say("name"), <DefinitionTextField key="name" {...text} field="name" />],
          [say("description"), <DefinitionTextField key="description" {...text} field="description" />],
        ]}
      />
      {problem && <ProblemBox problem={problem} />}
      <MultiSelect
        label={say("kinds")}
        placeholder={body.kinds ? "" : say("allKinds")}
        data={KINDS.map((kind) => ({ value: kind, label: kind.replace("_", " ") }))}
        value={[...(body.kinds ?? [])]}
        readOnly={!mayEdit}
        onChange={(chosen) =>
          kinds.mutate({ input: { definitionRef, ...(chosen.length > 0 && { value: chosen as unknown as Kinds }) } })
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
      <DefinitionSchema {...text} schema={body.schema} />
      {mayEdit && (
        <Button variant="subtle" color="red" onClick={() => setDeleting(true)}>
          {say(body.comesWithService ? "resetDefinition" : "deleteDefinition")}
        </Button>
      )}
      {deleting && (
        <ConfirmDelete
          action="property/definition_delete"
          input={{ definitionRef }}
          what={say("definitionNoun", { name: body.key })}
          close={() => setDeleting(false)}
          done={close}
        />
      )}
    </Stack>
  );
}

interface DefinitionTextFieldProps {
  readonly definitionRef: DefinitionRef;
  readonly mayEdit: boolean;
  readonly field: "name" | "description";
}

function DefinitionTextField({ definitionRef, mayEdit, field }: DefinitionTextFieldProps): ReactNode {
  const say = useWords("administration");
  const edit = useTextEdit<"property/definition_get", DefinitionText>({
    read: "property/definition_get",
    input: { definitionRef },
    pick: (body) => body[field],
    put: (body, value) => ({ ...body, [field]: value }),
    write: `property/definition_update_${field}`,
    written: (value) => ({ definitionRef, ...(value !== "" && { value }) }),
  });
  return (
    <EditableText
      label={say(field)}
      edit={edit}
      kind={field === "description" ? "markdown" : "line"}
      mayEdit={mayEdit}
    />
  );
}
