import { NativeSelect, Stack, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import type { RefText } from "../../api/refs.ts";
import type { OutputOf } from "../../api/service.ts";
import { useWords } from "../../words/words.ts";
import { RefPicker } from "../pickers/floating.tsx";

/** A new role: key, entity and cardinality. */
export interface NewRole {
  readonly key: string;
  readonly entityRef: string;
  readonly cardinality: Cardinality;
}

interface RoleFieldsProps {
  readonly legend: string;
  readonly modelRef: RefText;
  readonly role: NewRole;
  readonly setRole: (role: NewRole) => void;
  /** Returns the fault of a parameter, given the end of its name. */
  readonly findFault: (part: "Key" | "EntityRef" | "Cardinality") => ReactNode | undefined;
}

/** Fields of one role of a relationship. */
export function RoleFields({ legend, modelRef, role, setRole, findFault }: RoleFieldsProps): ReactNode {
  const say = useWords("structure");
  return (
    <fieldset className="box" style={{ margin: 0, padding: "4px 12px 12px" }}>
      <legend>{legend}</legend>
      <Stack gap="xs">
        <RefPicker
          kind="entity"
          label={say("entity")}
          above={{ modelRef }}
          value={role.entityRef}
          error={findFault("EntityRef")}
          onChange={(entityRef) => {
            // The role key follows the entity until the person edits it.
            const oldEntityKey = role.entityRef.replace(/^key:/, "");
            const key = role.key === "" || role.key === oldEntityKey ? entityRef.replace(/^key:/, "") : role.key;
            setRole({ ...role, entityRef, key });
          }}
        />
        <TextInput
          label={say("role")}
          value={role.key}
          error={findFault("Key")}
          autoCapitalize="none"
          spellCheck={false}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
          onChange={(event) => setRole({ ...role, key: event.currentTarget.value })}
        />
        <NativeSelect
          label={say("cardinality")}
          value={role.cardinality}
          error={findFault("Cardinality")}
          data={CARDINALITIES.map((value) => ({ value, label: say(value) }))}
          onChange={(event) => {
            const cardinality = CARDINALITIES.find((one) => one === event.currentTarget.value);
            if (cardinality) setRole({ ...role, cardinality });
          }}
        />
      </Stack>
    </fieldset>
  );
}

/** Number of instances on the side of a role. */
export type Cardinality = OutputOf<"model/relationship_get">["roles"][number]["cardinality"];

/** All cardinalities, narrowest first. */
export const CARDINALITIES: readonly Cardinality[] = ["zeroOrOne", "one", "many", "unknown"];
