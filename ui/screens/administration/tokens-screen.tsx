import { Badge, Button, SegmentedControl } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useMemo, useState } from "react";
import { useRead } from "../../api/reads.ts";
import { useMay } from "../../api/rights.ts";
import type { OutputOf } from "../../api/service.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import type { Column } from "../../parts/grid/column.ts";
import { DataGrid } from "../../parts/grid/data-grid.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { TableSkeleton } from "../../parts/skeletons.tsx";
import { useFormats } from "../../words/formats.ts";
import { useWords } from "../../words/words.ts";
import { AdministrationFrame } from "./administration-frame.tsx";
import { NewToken } from "./new-token.tsx";
import { ConfirmRevoke, RevokeButton } from "./revoke-token.tsx";
import { modelsOf } from "./token-models.ts";

const tokensRoute = getRouteApi("/shell/administration/tokens");

type Token = OutputOf<"auth/token_list">["items"][number];

/** The API tokens of the person, and for administrators those of everybody. */
export function TokensScreen(): ReactNode {
  const say = useWords("administration");
  const may = useMay();
  const search = tokensRoute.useSearch();
  const navigate = tokensRoute.useNavigate();
  const isOfAll = search.of === "all" && may("auth/actor_list");
  const read = useRead("auth/token_list", { expand: "keys", ...(isOfAll && { all: true }) });
  const [revoking, setRevoking] = useState<Token>();
  const columns = useColumns(isOfAll, setRevoking);
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
      <Loaded read={read} skeleton={<TableSkeleton />}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState title={say("tokensEmpty")} text={say("tokensEmptyText")} action={create} />
          ) : (
            <DataGrid
              name="tokens"
              label={say("tokens")}
              rows={items}
              idOf={({ id }) => id}
              columns={columns}
              view={search}
              setView={(view) => void navigate({ search: (before) => ({ ...before, ...view }), replace: true })}
            />
          )
        }
      </Loaded>
      {search.do === "create" && <NewToken close={() => go({ do: undefined })} />}
      {revoking && <ConfirmRevoke token={revoking} close={() => setRevoking(undefined)} />}
    </AdministrationFrame>
  );
}

function useColumns(isOfAll: boolean, revoke: (token: Token) => void): readonly Column<Token>[] {
  const say = useWords("administration");
  const { moment, since } = useFormats();
  return useMemo(() => {
    const owner: Column<Token> = {
      id: "owner",
      title: say("owner"),
      text: ({ actorName, actorId }) => actorName ?? actorId,
    };
    return [
      {
        id: "name",
        title: say("name"),
        text: ({ name }: Token) => name,
        cell: ({ name }: Token) => <bdi lang="en">{name}</bdi>,
      },
      ...(isOfAll ? [owner] : []),
      { id: "models", title: say("models"), width: 130, text: (token: Token) => modelsOf(token, say("allModels")) },
      { id: "permissions", title: say("permissions"), text: ({ permissions }: Token) => permissions.join(", ") },
      {
        id: "created",
        title: say("created"),
        isHidden: true,
        width: 190,
        text: ({ createdAt }: Token) => moment(createdAt),
        order: (a: Token, b: Token) => a.createdAt.localeCompare(b.createdAt),
      },
      {
        id: "expires",
        title: say("expires"),
        width: 150,
        text: ({ expiresAt, expired }: Token) => (expired ? say("expired") : since(expiresAt)),
        cell: ({ expiresAt, expired }: Token) =>
          expired ? (
            <Badge variant="default" tt="none" fw={500}>
              {say("expired")}
            </Badge>
          ) : (
            since(expiresAt)
          ),
        order: (a: Token, b: Token) => a.expiresAt.localeCompare(b.expiresAt),
      },
      {
        id: "revoke",
        title: say("revoke"),
        width: 110,
        text: () => "",
        cell: (token: Token) => <RevokeButton token={token} ask={revoke} />,
      },
    ];
  }, [say, moment, since, isOfAll, revoke]);
}
