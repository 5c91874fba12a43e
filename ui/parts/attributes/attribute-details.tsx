import { Stack, Switch, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { type Attribute, type AttributeOwner, getAttributeActions, getOwnerRefs } from "../../api/attributes.ts";
import { useMemberEdit, usePropertyEdit, useSave } from "../../api/edits.ts";
import { toRef } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import { useWords } from "../../words/words.ts";
import { ConstraintsSection } from "../constraints/constraints-section.tsx";
import { Section } from "../page.tsx";
import { RefPicker } from "../pickers/floating.tsx";
import { TagPicker } from "../pickers/tag-picker.tsx";
import { PropertiesSection } from "../properties/properties-section.tsx";
import { EditableText } from "../text/editable-text.tsx";
import { KeyText } from "../text/key-text.tsx";
import { useSaver } from "../use-saver.tsx";

interface AttributeDetailsProps {
  readonly owner: AttributeOwner;
  readonly attribute: Attribute;
  readonly attributeRef: `id:${string}` | `key:${string}`;
}

/** Details of an attribute except its name and key, each edited in place. */
export function AttributeDetails({ owner, attribute, attributeRef }: AttributeDetailsProps): ReactNode {
  const say = useWords("structure");
  const may = useMay();
  const actions = getAttributeActions(owner);
  const input = { ...getOwnerRefs(owner), attributeRef };
  const read = { ...input, expand: "keys" as const };
  const object = { read: actions.get, input: read, refs: input };
  const description = useMemberEdit(object, "description", actions.updateDescription);
  const propertyEdit = usePropertyEdit(object, actions.updateProperty, actions.deleteProperty);
  const saveConstraints = useSave({
    read: actions.get,
    input: read,
    write: actions.updateConstraints,
    pick: (body) => body.constraints,
    toInput: (next) => ({ ...input, ...(next && { value: next }) }),
  });
  return (
    <>
      <Section title={say("description")}>
        <EditableText label={say("descriptionText")} kind="markdown" edit={description} />
      </Section>
      <Section title={say("type")}>
        <TypeAndOptional owner={owner} attribute={attribute} attributeRef={attributeRef} />
      </Section>
      <ConstraintsSection
        value={attribute.constraints}
        {...(may(actions.updateConstraints) && { save: saveConstraints })}
      />
      <Section title={say("tags")} count={attribute.tags.length}>
        <TagPicker modelRef={owner.modelRef} tags={attribute.tags} actions={actions} refs={input} />
      </Section>
      <PropertiesSection properties={attribute.properties} edit={propertyEdit} />
    </>
  );
}

function TypeAndOptional({ owner, attribute, attributeRef }: AttributeDetailsProps) {
  const say = useWords("structure");
  const may = useMay();
  const actions = getAttributeActions(owner);
  const input = { ...getOwnerRefs(owner), attributeRef };
  const object = { read: actions.get, input: { ...input, expand: "keys" as const } };
  const typeKey = attribute.typeByKey ?? "";
  const type = useSaver<string>(
    say("type"),
    useSave({
      ...object,
      write: actions.updateType,
      pick: (body) => body.typeByKey ?? "",
      put: (body, typeByKey) => ({ ...body, typeByKey }),
      toInput: (next) => ({ ...input, value: toRef(next) }),
    }),
    (value) => value.replace(/^key:/, ""),
  );
  const optional = useSaver<boolean>(
    say("optional"),
    useSave({
      ...object,
      write: actions.updateOptional,
      pick: (body) => body.optional,
      put: (body, next) => ({ ...body, optional: next }),
      toInput: (next) => ({ ...input, value: next }),
    }),
    (value) => say(value ? "yes" : "no"),
  );
  return (
    <Stack gap="sm" maw={420}>
      {may(actions.updateType) ? (
        <RefPicker
          kind="type"
          label={say("type")}
          isLabelHidden
          above={{ modelRef: owner.modelRef }}
          value={typeKey}
          onChange={(next) => next !== "" && next !== typeKey && type.change(next, typeKey)}
          error={type.refusal && <span lang="en">{type.refusal}</span>}
        />
      ) : (
        <KeyText value={typeKey.replace(/^key:/, "")} strong />
      )}
      {may(actions.updateOptional) ? (
        <Switch
          label={say("optionalText")}
          checked={attribute.optional}
          onChange={(event) => optional.change(event.currentTarget.checked, attribute.optional)}
          error={optional.refusal && <span lang="en">{optional.refusal}</span>}
        />
      ) : (
        <Text c="dimmed">{say(attribute.optional ? "optionalText" : "requiredText")}</Text>
      )}
      {type.dialog}
      {optional.dialog}
    </Stack>
  );
}
