import { Button, Group, SegmentedControl, Text } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useMemo, useState } from "react";
import { isServiceAccount } from "../../../shared/domain/accounts/principal.ts";
import { useRead } from "../../api/reads.ts";
import { useMay } from "../../api/rights.ts";
import type { OutputOf } from "../../api/service.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import type { Column } from "../../parts/grid/column.ts";
import { Named } from "../../parts/text/key-text.tsx";
import { useFormats } from "../../words/formats.ts";
import { useWords } from "../../words/words.ts";
import { AdministrationFrame, getId, getItems, List, Mark, useIssuerName } from "./administration-frame.tsx";
import { DefinitionPanel, NewDefinition } from "./definition-panel.tsx";
import { NewToken } from "./new-token.tsx";
import { NewRole, RolePanel } from "./role-panel.tsx";
import { ConfirmRevoke, formatModels, RevokeButton } from "./tokens.tsx";

const rolesRoute = getRouteApi("/shell/administration/roles");

type Role = OutputOf<"auth/role_list">["items"][number];

/** All roles; a panel shows the permissions of one. */
export function RolesScreen(): ReactNode {
  const say = useWords("administration");
  const may = useMay();
  const search = rolesRoute.useSearch();
  const navigate = rolesRoute.useNavigate();
  const read = useRead("auth/role_list", {});
  const go = (change: Partial<typeof search>): Promise<void> =>
    navigate({ search: (before) => ({ ...before, ...change }) });
  const columns = useMemo<readonly Column<Role>[]>(() => {
    const listMarks = ({ autoAssign, managedRole }: Role): readonly string[] => [
      ...(managedRole ? [say("kept")] : []),
      ...(autoAssign ? [say("forNew")] : []),
    ];
    return [
      {
        id: "name",
        title: say("name"),
        getText: ({ name, key }) => `${name} ${key}`,
        renderCell: ({ name, key }) => <Named name={name} objectKey={key} />,
      },
      { id: "description", title: say("description"), getText: ({ description = "" }) => description },
      {
        id: "state",
        title: say("state"),
        width: 280,
        getText: (role) => listMarks(role).join(", "),
        renderCell: (role) => (
          <Group gap={4}>
            {listMarks(role).map((mark) => (
              <Mark key={mark}>{mark}</Mark>
            ))}
          </Group>
        ),
      },
    ];
  }, [say]);
  return (
    <AdministrationFrame
      section="roles"
      panel={search.role && <RolePanel key={search.role} id={search.role} close={() => go({ role: undefined })} />}
      actions={may("auth/role_create") && <Button onClick={() => go({ do: "create" })}>{say("newRole")}</Button>}
    >
      <List
        name="roles"
        label={say("roles")}
        read={read}
        getRows={getItems}
        getId={getId}
        columns={columns}
        view={search}
        setView={(view) => void navigate({ search: (before) => ({ ...before, ...view }), replace: true })}
        open={({ id }) => go({ role: id })}
        openId={search.role}
      />
      {search.do === "create" && (
        <NewRole close={() => go({ do: undefined })} onCreated={(role) => go({ do: undefined, role })} />
      )}
    </AdministrationFrame>
  );
}

const tokensRoute = getRouteApi("/shell/administration/tokens");

type Token = OutputOf<"auth/token_list">["items"][number];

/** API tokens of the person; for administrators, those of everybody. */
export function TokensScreen(): ReactNode {
  const say = useWords("administration");
  const may = useMay();
  const search = tokensRoute.useSearch();
  const navigate = tokensRoute.useNavigate();
  const isOfAll = search.of === "all" && may("auth/actor_list");
  const read = useRead("auth/token_list", { expand: "keys", ...(isOfAll && { all: true }) });
  const [revoking, setRevoking] = useState<Token>();
  const columns = useTokenColumns(isOfAll, setRevoking);
  const go = (change: Partial<typeof search>): Promise<void> =>
    navigate({ search: (before) => ({ ...before, ...change }) });
  const create = <Button onClick={() => go({ do: "create" })}>{say("newToken")}</Button>;
  return (
    <AdministrationFrame section="tokens" actions={may("auth/token_create") && create}>
      {may("auth/actor_list") && (
        <SegmentedControl
          mb="md"
          aria-label={say("whose")}
          value={isOfAll ? "all" : "mine"}
          data={[
            { value: "mine", label: say("mine") },
            { value: "all", label: say("everybodys") },
          ]}
          onChange={(of) => go({ of: of === "all" ? "all" : undefined })}
        />
      )}
      <List
        name="tokens"
        label={say("tokens")}
        read={read}
        getRows={getItems}
        getId={getId}
        columns={columns}
        view={search}
        setView={(view) => void navigate({ search: (before) => ({ ...before, ...view }), replace: true })}
        empty={<EmptyState title={say("tokensEmpty")} text={say("tokensEmptyText")} action={create} />}
      />
      {search.do === "create" && <NewToken close={() => go({ do: undefined })} />}
      {revoking && <ConfirmRevoke token={revoking} close={() => setRevoking(undefined)} />}
    </AdministrationFrame>
  );
}

function useTokenColumns(isOfAll: boolean, revoke: (token: Token) => void): readonly Column<Token>[] {
  const say = useWords("administration");
  const { formatMoment, formatSince } = useFormats();
  return useMemo(() => {
    const owner: Column<Token> = {
      id: "owner",
      title: say("owner"),
      getText: ({ actorName, actorId }) => actorName ?? actorId,
    };
    return [
      {
        id: "name",
        title: say("name"),
        getText: ({ name }: Token) => name,
        renderCell: ({ name }: Token) => <bdi lang="en">{name}</bdi>,
      },
      ...(isOfAll ? [owner] : []),
      {
        id: "models",
        title: say("models"),
        width: 130,
        getText: (token: Token) => formatModels(token, say("allModels")),
      },
      { id: "permissions", title: say("permissions"), getText: ({ permissions }: Token) => permissions.join(", ") },
      {
        id: "created",
        title: say("created"),
        isHidden: true,
        width: 190,
        getText: ({ createdAt }: Token) => formatMoment(createdAt),
        compareRows: (a: Token, b: Token) => a.createdAt.localeCompare(b.createdAt),
      },
      {
        id: "expires",
        title: say("expires"),
        width: 150,
        getText: ({ expiresAt, expired }: Token) => (expired ? say("expired") : formatSince(expiresAt)),
        renderCell: ({ expiresAt, expired }: Token) =>
          expired ? <Mark>{say("expired")}</Mark> : formatSince(expiresAt),
        compareRows: (a: Token, b: Token) => a.expiresAt.localeCompare(b.expiresAt),
      },
      {
        id: "revoke",
        title: say("revoke"),
        width: 110,
        getText: () => "",
        renderCell: (token: Token) => <RevokeButton token={token} ask={revoke} />,
      },
    ];
  }, [say, formatMoment, formatSince, isOfAll, revoke]);
}

const propertiesRoute = getRouteApi("/shell/administration/properties");

type Definition = OutputOf<"property/definition_list">["items"][number];

/** Definitions of properties, including the predefined ones. */
export function PropertiesScreen(): ReactNode {
  const say = useWords("administration");
  const may = useMay();
  const search = propertiesRoute.useSearch();
  const navigate = propertiesRoute.useNavigate();
  const read = useRead("property/definition_list", {});
  const columns = useDefinitionColumns();
  const go = (change: Partial<typeof search>): Promise<void> =>
    navigate({ search: (before) => ({ ...before, ...change }) });
  const { definition } = search;
  return (
    <AdministrationFrame
      section="properties"
      panel={
        definition && <DefinitionPanel key={definition} name={definition} close={() => go({ definition: undefined })} />
      }
      actions={
        may("property/definition_create") && (
          <Button onClick={() => go({ do: "create" })}>{say("newDefinition")}</Button>
        )
      }
    >
      <List
        name="definitions"
        label={say("properties")}
        read={read}
        getRows={getItems}
        getId={({ key }) => key}
        columns={columns}
        view={search}
        setView={(view) => void navigate({ search: (before) => ({ ...before, ...view }), replace: true })}
        open={({ key }) => go({ definition: key })}
        openId={definition}
      />
      {search.do === "create" && (
        <NewDefinition
          close={() => go({ do: undefined })}
          onCreated={(key) => go({ do: undefined, definition: key })}
        />
      )}
    </AdministrationFrame>
  );
}

function useDefinitionColumns(): readonly Column<Definition>[] {
  const say = useWords("administration");
  return useMemo(
    () => [
      {
        id: "name",
        title: say("name"),
        getText: ({ name = "", key }) => `${name} ${key}`,
        renderCell: ({ name, key }) => <Named name={name} objectKey={key} />,
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
        renderCell: ({ comesWithService }) => (
          <Group gap={4}>{comesWithService && <Mark>{say("comesWithService")}</Mark>}</Group>
        ),
      },
    ],
    [say],
  );
}

const issuersRoute = getRouteApi("/shell/administration/issuers");

/** An issuer with the number of its persons. */
interface Issuer {
  readonly issuer: string;
  readonly people: number;
  readonly lastSeenAt: string;
  readonly claimedRoles: readonly string[];
}

/** Issuers whose tokens the service has seen. */
export function IssuersScreen(): ReactNode {
  const say = useWords("administration");
  const search = issuersRoute.useSearch();
  const navigate = issuersRoute.useNavigate();
  const read = useRead("auth/actor_list", {});
  const columns = useIssuerColumns();
  return (
    <AdministrationFrame section="issuers">
      <Text mb="md">{say("issuersText")}</Text>
      <List
        name="issuers"
        label={say("issuers")}
        read={read}
        getRows={({ items }) => listIssuers(items)}
        getId={({ issuer }) => issuer}
        columns={columns}
        view={search}
        setView={(view) => void navigate({ search: view, replace: true })}
      />
    </AdministrationFrame>
  );
}

/** Lists the issuers of persons; service accounts have none. */
function listIssuers(actors: OutputOf<"auth/actor_list">["items"]): readonly Issuer[] {
  const people = actors.filter((actor) => !isServiceAccount(actor));
  return [...Map.groupBy(people, ({ issuer }) => issuer)].map(([issuer, some]) => ({
    issuer,
    people: some.length,
    lastSeenAt: some.map((one) => one.lastSeenAt ?? "").reduce((a, b) => (a > b ? a : b)),
    claimedRoles: [...new Set(some.flatMap((one) => one.claimedRoles ?? []))].sort(),
  }));
}

function useIssuerColumns(): readonly Column<Issuer>[] {
  const say = useWords("administration");
  const nameOf = useIssuerName();
  const { formatSince, formatNumber } = useFormats();
  return useMemo(
    () => [
      { id: "issuer", title: say("issuer"), getText: ({ issuer }) => nameOf(issuer) },
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
    ],
    [say, nameOf, formatSince, formatNumber],
  );
}
