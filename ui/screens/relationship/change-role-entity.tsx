import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { type RefText, refOf } from "../../api/refs.ts";
import { useValueSaver } from "../../api/value-edit.ts";
import { RefPicker } from "../../parts/lazy-floating.tsx";
import { refusalOf } from "../../parts/refusal.ts";
import { useChoosing } from "../../parts/use-choosing.tsx";
import { useWords } from "../../words/words.ts";
import { type RelationshipInput, type Role, readInput } from "./relationship-props.ts";

interface ChangeRoleEntityProps {
  readonly role: Role;
  readonly input: RelationshipInput;
  /** The entity that is in the role now. */
  readonly entityRef: RefText;
  readonly hasPairs: boolean;
  readonly close: () => void;
}

/** Puts another entity in a role, which takes the key pairs away. */
export function ChangeRoleEntity({ role, input, entityRef, hasPairs, close }: ChangeRoleEntityProps): ReactNode {
  const say = useWords("structure");
  const [next, setNext] = useState<string>(entityRef);
  const [refusal, setRefusal] = useState<string>();
  const [busy, setBusy] = useState(false);
  const saveEntity = useValueSaver("model/relationship_get", readInput(input), "model/relationship_role_update_entity");
  const entity = useChoosing<string>(
    say("entity"),
    (value, base) =>
      saveEntity(
        {
          pick: (body) => {
            const found = body.roles.find(({ id }) => id === role.id);
            return found?.entityByKey ?? found?.entity ?? "";
          },
          written: (one) => ({ ...input, relationshipRoleRef: `id:${role.id}`, value: refOf(one) }),
        },
        value,
        base,
      ),
    (ref) => ref.replace(/^key:/, ""),
  );
  const send = async (): Promise<void> => {
    setBusy(true);
    setRefusal(undefined);
    try {
      await entity.save(next, entityRef);
      close();
    } catch (error) {
      setRefusal(refusalOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal
      opened
      onClose={close}
      title={say("changeEntity", { role: role.key })}
      closeButtonProps={{ "aria-label": say("close") }}
    >
      <Stack>
        <RefPicker
          kind="entity"
          label={say("entity")}
          above={{ modelRef: input.modelRef }}
          value={next}
          onChange={setNext}
          error={refusal && <span lang="en">{refusal}</span>}
        />
        {hasPairs && <Text c="dimmed">{say("keyPairsGo")}</Text>}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {say("cancel")}
          </Button>
          <Button loading={busy} disabled={next === "" || next === entityRef} onClick={() => void send()}>
            {say("save")}
          </Button>
        </Group>
      </Stack>
      {entity.dialog}
    </Modal>
  );
}
