import { Checkbox, Stack, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { impliedBy, usePermissions } from "../../api/permissions.ts";
import type { InputOf } from "../../api/service.ts";
import { useWrite } from "../../api/writes.ts";
import { ProblemBox } from "../../parts/problem-box.tsx";
import { useWords } from "../../words/words.ts";

interface PermissionChoiceProps {
  readonly roleRef: InputOf<"auth/role_get">["roleRef"];
  readonly given: readonly string[];
  readonly mayEdit: boolean;
}

/** The permissions of a role: those it is given can be taken, and those they imply are told with what brings them. */
export function PermissionChoice({ roleRef, given, mayEdit }: PermissionChoiceProps): ReactNode {
  const say = useWords("administration");
  const all = usePermissions();
  const brought = impliedBy(all, given);
  const add = useWrite("auth/role_add_permission");
  const remove = useWrite("auth/role_delete_permission");
  const nameOf = (id: string | undefined): string => all.find((one) => one.id === id)?.name ?? "";
  const problem = add.error ?? remove.error;
  return (
    <section>
      <Title order={3} mb={6}>
        {say("permissions")}
      </Title>
      {problem && <ProblemBox problem={problem} />}
      <Stack gap="xs">
        {all.map(({ id, name, description }) => {
          const by = brought.get(id);
          const origin = by === undefined ? "" : ` (${say("impliedBy", { permission: nameOf(by) })})`;
          return (
            <Checkbox
              key={id}
              label={<span lang="en">{name}</span>}
              description={
                <>
                  <span lang="en">{description}</span>
                  {origin}
                </>
              }
              checked={given.includes(id) || by !== undefined}
              disabled={!mayEdit || by !== undefined || add.isPending || remove.isPending}
              onChange={(event) =>
                (event.currentTarget.checked ? add : remove).mutate({ input: { roleRef, permissionKey: id } })
              }
            />
          );
        })}
      </Stack>
    </section>
  );
}
