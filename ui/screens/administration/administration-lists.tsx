import { Badge, Button, Group, SegmentedControl, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { isServiceAccount } from "../../../shared/domain/accounts/principal.ts";
import { useRead } from "../../api/reads.ts";
import { useMay } from "../../api/rights.ts";
import type { OutputOf } from "../../api/service.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import type { Column } from "../../parts/grid/column.ts";
import { getId, getItems } from "../../parts/grid/loaded-grid.tsx";
import { useQueryParameters } from "../../parts/grid/use-query-parameters.ts";
import { ObjectName } from "../../parts/text/key-text.tsx";
import { useFormats } from "../../words/formats.ts";
import { useWords } from "../../words/words.ts";
import { AdministrationList, useIssuerName } from "./administration-frame.tsx";
import { DefinitionPanel, NewDefinition } from "./definition-panel.tsx";
import { NewRole, RolePanel } from "./role-panel.tsx";
import { formatModels, NewToken, RevokeButton, type Token } from "./tokens.tsx";

const Marks = ({ marks }: { readonly marks: readonly string[] }) => (
  <Group gap={4}>
    {marks.map((mark) => (
      <Badge key={mark}>{mark}</Badge>
    ))}
  </Group>
);

type Role = OutputOf<"auth/role_list">["items"][number];

/** All roles; a panel shows the permissions of one. */
export function RolesScreen(): ReactNode {
  const say = useWords("administration");
  const read = useRead("auth/role_list", {});
  const listMarks = ({ autoAssign, managedRole }: Role): readonly string[] => [
    ...(managedRole ? [say("kept")] : []),
    ...(autoAssign ? [say("forNew")] : []),
  ];
  const columns: readonly Column<Role>[] = [
    {
      id: "name",
      title: say("name"),
      getText: ({ name, key }) => `${name} ${key}`,
      renderCell: ({ name, key }) => <ObjectName name={name} objectKey={key} />,
    },
    { id: "description", title: say("description"), getText: ({ description = "" }) => description },
    {
      id: "state",
      title: say("state"),
      width: 280,
      getText: (role) => listMarks(role).join(", "),
      renderCell: (role) => <Marks marks={listMarks(role)} />,
    },
  ];
  return (
    <AdministrationList
      section="roles"
      read={read}
      getRows={getItems}
      getId={getId}
      columns={columns}
      open="role"
      panel={RolePanel}
      dialogs={[{ do: "create", action: "auth/role_create", label: say("newRole"), dialog: NewRole }]}
    />
  );
}

/** API tokens of the person; for administrators, those of everybody. */
export function TokensScreen(): ReactNode {
  const say = useWords("administration");
  const may = useMay();
  const { search, change } = useQueryParameters();
  const isOfAll = search.of === "all" && may("auth/actor_list");
  const read = useRead("auth/token_list", { expand: "keys", ...(isOfAll && { all: true }) });
  return (
    <AdministrationList
      section="tokens"
      read={read}
      getRows={getItems}
      getId={getId}
      columns={useTokenColumns(isOfAll)}
      dialogs={[{ do: "create", action: "auth/token_create", label: say("newToken"), dialog: NewToken }]}
      above={
        may("auth/actor_list") && (
          <SegmentedControl
            mb="md"
            aria-label={say("whose")}
            value={isOfAll ? "all" : "mine"}
            data={[
              { value: "mine", label: say("mine") },
              { value: "all", label: say("everybodys") },
            ]}
            onChange={(value) => change({ of: value === "all" ? "all" : undefined })}
          />
        )
      }
      empty={
        <EmptyState
          title={say("tokensEmpty")}
          text={say("tokensEmptyText")}
          action={<Button onClick={() => change({ do: "create" })}>{say("newToken")}</Button>}
        />
      }
    />
  );
}

function useTokenColumns(isOfAll: boolean): readonly Column<Token>[] {
  const say = useWords("administration");
  const { formatTime, formatSince } = useFormats();
  const owner: Column<Token> = {
    id: "owner",
    title: say("owner"),
    getText: ({ actorName, actorId }) => actorName ?? actorId,
  };
  return [
    { id: "name", title: say("name"), getText: ({ name }) => name, isEnglish: true },
    ...(isOfAll ? [owner] : []),
    { id: "models", title: say("models"), width: 130, getText: (token) => formatModels(token, say("allModels")) },
    { id: "permissions", title: say("permissions"), getText: ({ permissions }) => permissions.join(", ") },
    {
      id: "created",
      title: say("created"),
      isHidden: true,
      width: 190,
      getText: ({ createdAt }) => formatTime(createdAt),
      compareRows: (a, b) => a.createdAt.localeCompare(b.createdAt),
    },
    {
      id: "expires",
      title: say("expires"),
      width: 150,
      getText: ({ expiresAt, expired }) => (expired ? say("expired") : formatSince(expiresAt)),
      renderCell: ({ expiresAt, expired }) => (expired ? <Badge>{say("expired")}</Badge> : formatSince(expiresAt)),
      compareRows: (a, b) => a.expiresAt.localeCompare(b.expiresAt),
    },
    {
      id: "revoke",
      title: say("revoke"),
      width: 110,
      getText: () => "",
      renderCell: (token) => <RevokeButton token={token} />,
    },
  ];
}

type Definition = OutputOf<"property/definition_list">["items"][number];

/** Definitions of properties, including the predefined ones. */
export function PropertiesScreen(): ReactNode {
  const say = useWords("administration");
  const read = useRead("property/definition_list", {});
  const columns: readonly Column<Definition>[] = [
    {
      id: "name",
      title: say("name"),
      getText: ({ name = "", key }) => `${name} ${key}`,
      renderCell: ({ name, key }) => <ObjectName name={name} objectKey={key} />,
    },
    {
      id: "kinds",
      title: say("kinds"),
      getText: ({ kinds }) => kinds?.map((kind) => kind.replace("_", " ")).join(", ") ?? say("allKinds"),
    },
    { id: "impact", title: say("impact"), width: 140, getText: ({ impact }) => say(impact) },
    {
      id: "origin",
      title: say("state"),
      width: 200,
      getText: ({ comesWithService }) => (comesWithService ? say("comesWithService") : ""),
      renderCell: ({ comesWithService }) => <Marks marks={comesWithService ? [say("comesWithService")] : []} />,
    },
  ];
  return (
    <AdministrationList
      section="properties"
      name="definitions"
      read={read}
      getRows={getItems}
      getId={({ key }) => key}
      columns={columns}
      open="definition"
      panel={DefinitionPanel}
      dialogs={[
        { do: "create", action: "property/definition_create", label: say("newDefinition"), dialog: NewDefinition },
      ]}
    />
  );
}

interface Issuer {
  readonly issuer: string;
  readonly people: number;
  readonly lastSeenAt: string;
  readonly claimedRoles: readonly string[];
}

/** Issuers whose tokens the service has seen. */
export function IssuersScreen(): ReactNode {
  const say = useWords("administration");
  const formatIssuer = useIssuerName();
  const { formatSince, formatNumber } = useFormats();
  const read = useRead("auth/actor_list", {});
  const columns: readonly Column<Issuer>[] = [
    { id: "issuer", title: say("issuer"), getText: ({ issuer }) => formatIssuer(issuer) },
    {
      id: "people",
      title: say("people"),
      width: 120,
      align: "end",
      getText: ({ people }) => formatNumber(people),
      compareRows: (a, b) => a.people - b.people,
    },
    {
      id: "seen",
      title: say("lastSeen"),
      width: 180,
      getText: ({ lastSeenAt }) => (lastSeenAt ? formatSince(lastSeenAt) : say("never")),
      compareRows: (a, b) => a.lastSeenAt.localeCompare(b.lastSeenAt),
    },
    { id: "roles", title: say("claimedRoles"), getText: ({ claimedRoles }) => claimedRoles.join(", ") },
  ];
  return (
    <AdministrationList
      section="issuers"
      read={read}
      getRows={({ items }) => listIssuers(items)}
      getId={({ issuer }) => issuer}
      columns={columns}
      above={<Text mb="md">{say("issuersText")}</Text>}
    />
  );
}

function listIssuers(actors: OutputOf<"auth/actor_list">["items"]): readonly Issuer[] {
  const people = actors.filter((actor) => !isServiceAccount(actor));
  return [...Map.groupBy(people, ({ issuer }) => issuer)].map(([issuer, group]) => ({
    issuer,
    people: group.length,
    lastSeenAt: group.map((one) => one.lastSeenAt ?? "").reduce((a, b) => (a > b ? a : b)),
    claimedRoles: [...new Set(group.flatMap((one) => one.claimedRoles ?? []))].sort(),
  }));
}
