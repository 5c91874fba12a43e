import { List, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { impliedBy, usePermissions } from "../../api/permissions.ts";
import { useRead } from "../../api/reads.ts";
import type { InputOf } from "../../api/service.ts";
import { useWords } from "../../words/words.ts";

type RoleRef = InputOf<"auth/role_get">["roleRef"];

/** All that a role allows, in words, with what its permissions imply. */
export function RolePermissions({ roleRef }: { readonly roleRef: RoleRef }): ReactNode {
  const say = useWords("administration");
  const all = usePermissions();
  const given = useRead("auth/role_get", { roleRef }).data?.body.permissions;
  if (!given) return null;
  const brought = impliedBy(all, given);
  const held = all.filter(({ id }) => given.includes(id) || brought.has(id));
  if (held.length === 0) return <Text c="dimmed">{say("allowsNothing")}</Text>;
  return (
    <section>
      <Text fw={500}>{say("allows")}</Text>
      <List size="sm" spacing={2}>
        {held.map(({ id, name, description }) => (
          <List.Item key={id}>
            <span lang="en" title={description}>
              {name}
            </span>
          </List.Item>
        ))}
      </List>
    </section>
  );
}
