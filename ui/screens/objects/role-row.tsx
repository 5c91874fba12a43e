import { Button, Group, NativeSelect, Stack, Table, Text } from "@mantine/core";
import { IconPencil, IconTrash } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { type TextEdit, useSave, useTextEdit } from "../../api/edits.ts";
import { type RefText, toRef } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import type { OutputOf } from "../../api/service.ts";
import { Dialog, DialogButtons } from "../../parts/dialog.tsx";
import { DeleteButton } from "../../parts/dialogs/confirm-delete.tsx";
import { IconButton } from "../../parts/icon-button.tsx";
import { TextLink } from "../../parts/links.tsx";
import { RefPicker } from "../../parts/pickers/floating.tsx";
import { CARDINALITIES, type Cardinality } from "../../parts/structure/role-fields.tsx";
import { EditableText } from "../../parts/text/editable-text.tsx";
import { KeyText } from "../../parts/text/key-text.tsx";
import { useSaver } from "../../parts/use-saver.tsx";
import { useWords } from "../../words/words.ts";
import { type RelationshipInput, type Role, toReadInput } from "./object-props.ts";

type Body = OutputOf<"model/relationship_get">;

interface RoleRowProps {
  readonly role: Role;
  readonly input: RelationshipInput;
  readonly etag: string | undefined;
  /** True if changing the role or its entity removes key pairs. */
  readonly hasPairs: boolean;
}

const replaceRole = (body: Body, id: string, part: Partial<Role>): Body => ({
  ...body,
  roles: body.roles.map((role) => (role.id === id ? { ...role, ...part } : role)),
});

const findRole = (body: Body, id: string): Role | undefined => body.roles.find((role) => role.id === id);

/** A role of a relationship: texts, entity and cardinality, each edited in place. */
export function RoleRow({ role, input, etag, hasPairs }: RoleRowProps): ReactNode {
  const say = useWords("structure");
  const may = useMay();
  const target = { ...input, relationshipRoleRef: `id:${role.id}` } as const;
  const useText = (field: "key" | "name"): TextEdit =>
    useTextEdit({
      read: "model/relationship_get",
      input: toReadInput(input),
      pick: (body) => findRole(body, role.id)?.[field],
      put: (body, text) => replaceRole(body, role.id, { [field]: text }),
      write: `model/relationship_role_update_${field}` as const,
      toInput: (value) => ({ ...target, value }),
    });
  const [objectKey, name] = [useText("key"), useText("name")];
  return (
    <Table.Tr data-key={role.key}>
      <Table.Td ff="monospace" style={{ overflowWrap: "anywhere" }}>
        <EditableText label={say("keyText")} edit={objectKey} most={128} />
      </Table.Td>
      <Table.Td style={{ overflowWrap: "anywhere" }}>
        <EditableText label={say("nameText")} edit={name} most={200} />
      </Table.Td>
      <Table.Td style={{ overflowWrap: "anywhere" }}>
        <RoleEntity role={role} input={input} hasPairs={hasPairs} />
      </Table.Td>
      <Table.Td>
        <RoleCardinality role={role} input={input} />
      </Table.Td>
      {may("model/relationship_role_delete") && (
        <Table.Td>
          <DeleteButton
            action="model/relationship_role_delete"
            input={target}
            ifMatch={etag}
            what={say("theRole", { key: role.key })}
            renderButton={(ask) => (
              <IconButton label={say("deleteRole", { key: role.key })} icon={IconTrash} run={ask} />
            )}
          >
            {hasPairs && <Text>{say("keyPairsGo")}</Text>}
          </DeleteButton>
        </Table.Td>
      )}
    </Table.Tr>
  );
}

type RolePartProps = Pick<RoleRowProps, "role" | "input">;

function RoleEntity({ role, input, hasPairs }: RolePartProps & Pick<RoleRowProps, "hasPairs">) {
  const say = useWords("structure");
  const may = useMay();
  const [changing, setChanging] = useState(false);
  const entityRef = role.entityByKey ?? role.entity;
  return (
    <>
      <Group gap={4} wrap="nowrap">
        <TextLink to="/models/$modelRef/entities/$entityRef" params={{ modelRef: input.modelRef, entityRef }} miw={0}>
          <KeyText value={entityRef.replace(/^key:/, "")} strong />
        </TextLink>
        {may("model/relationship_role_update_entity") && (
          <IconButton
            size={24}
            iconSize={14}
            label={say("changeEntity", { role: role.key })}
            icon={IconPencil}
            run={() => setChanging(true)}
          />
        )}
      </Group>
      {changing && (
        <ChangeRoleEntity
          role={role}
          input={input}
          entityRef={toRef(entityRef)}
          hasPairs={hasPairs}
          close={() => setChanging(false)}
        />
      )}
    </>
  );
}

function RoleCardinality({ role, input }: RolePartProps) {
  const say = useWords("structure");
  const may = useMay();
  const cardinality = useSaver<Cardinality>(
    say("cardinality"),
    useSave({
      read: "model/relationship_get",
      input: toReadInput(input),
      write: "model/relationship_role_update_cardinality",
      pick: (body) => findRole(body, role.id)?.cardinality ?? "unknown",
      put: (body, next) => replaceRole(body, role.id, { cardinality: next }),
      toInput: (next) => ({ ...input, relationshipRoleRef: toRef(`id:${role.id}`), value: next }),
    }),
    say,
  );
  const choose = (text: string) => {
    const next = CARDINALITIES.find((one) => one === text);
    if (next) cardinality.change(next, role.cardinality);
  };
  return (
    <>
      {may("model/relationship_role_update_cardinality") ? (
        <NativeSelect
          size="xs"
          aria-label={`${say("cardinality")}: ${role.key}`}
          value={role.cardinality}
          data={CARDINALITIES.map((value) => ({ value, label: say(value) }))}
          onChange={(event) => choose(event.currentTarget.value)}
        />
      ) : (
        say(role.cardinality)
      )}
      {cardinality.alert}
      {cardinality.dialog}
    </>
  );
}

interface ChangeRoleEntityProps {
  readonly role: Role;
  readonly input: RelationshipInput;
  readonly entityRef: RefText;
  readonly hasPairs: boolean;
  readonly close: () => void;
}

function ChangeRoleEntity({ role, input, entityRef, hasPairs, close }: ChangeRoleEntityProps) {
  const say = useWords("structure");
  const [next, setNext] = useState<string>(entityRef);
  const entity = useSaver<string>(
    say("entity"),
    useSave({
      read: "model/relationship_get",
      input: toReadInput(input),
      write: "model/relationship_role_update_entity",
      pick: (body) => {
        const match = findRole(body, role.id);
        return match?.entityByKey ?? match?.entity ?? "";
      },
      toInput: (one) => ({ ...input, relationshipRoleRef: toRef(`id:${role.id}`), value: toRef(one) }),
    }),
    (ref) => ref.replace(/^key:/, ""),
  );
  return (
    <Dialog close={close} title={say("changeEntity", { role: role.key })}>
      <Stack>
        <RefPicker
          kind="entity"
          label={say("entity")}
          above={{ modelRef: input.modelRef }}
          value={next}
          onChange={setNext}
          error={entity.refusal && <span lang="en">{entity.refusal}</span>}
        />
        {hasPairs && <Text c="dimmed">{say("keyPairsGo")}</Text>}
        <DialogButtons close={close}>
          <Button disabled={next === "" || next === entityRef} onClick={() => entity.change(next, entityRef, close)}>
            {say("save")}
          </Button>
        </DialogButtons>
      </Stack>
      {entity.dialog}
    </Dialog>
  );
}
