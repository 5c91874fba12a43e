import { Text } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { isServiceAccount } from "../../../shared/domain/accounts/principal.ts";
import { useRead } from "../../api/reads.ts";
import type { OutputOf } from "../../api/service.ts";
import type { Column } from "../../parts/grid/column.ts";
import { DataGrid } from "../../parts/grid/data-grid.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { TableSkeleton } from "../../parts/skeletons.tsx";
import { useFormats } from "../../words/formats.ts";
import { useWords } from "../../words/words.ts";
import { AdministrationFrame } from "./administration-frame.tsx";
import { useIssuerName } from "./issuer-name.ts";

const issuersRoute = getRouteApi("/shell/administration/issuers");

/** Who signs people in, with how many came from there. */
interface Issuer {
  readonly issuer: string;
  readonly people: number;
  readonly lastSeenAt: string;
  readonly claimedRoles: readonly string[];
}

/** The issuers whose tokens the service has seen. */
export function IssuersScreen(): ReactNode {
  const say = useWords("administration");
  const search = issuersRoute.useSearch();
  const navigate = issuersRoute.useNavigate();
  const read = useRead("auth/actor_list", {});
  const columns = useColumns();
  return (
    <AdministrationFrame section="issuers">
      <Text mb="md">{say("issuersText")}</Text>
      <Loaded read={read} skeleton={<TableSkeleton />}>
        {({ items }) => (
          <DataGrid
            name="issuers"
            label={say("issuers")}
            rows={issuersOf(items)}
            idOf={({ issuer }) => issuer}
            columns={columns}
            view={search}
            setView={(view) => void navigate({ search: view, replace: true })}
          />
        )}
      </Loaded>
    </AdministrationFrame>
  );
}

/** The issuers of those who sign in, which service accounts never do. */
function issuersOf(actors: OutputOf<"auth/actor_list">["items"]): readonly Issuer[] {
  const people = actors.filter((actor) => !isServiceAccount(actor));
  return [...Map.groupBy(people, ({ issuer }) => issuer)].map(([issuer, some]) => ({
    issuer,
    people: some.length,
    lastSeenAt: some.map((one) => one.lastSeenAt ?? "").reduce((a, b) => (a > b ? a : b)),
    claimedRoles: [...new Set(some.flatMap((one) => one.claimedRoles ?? []))].sort(),
  }));
}

function useColumns(): readonly Column<Issuer>[] {
  const say = useWords("administration");
  const nameOf = useIssuerName();
  const { since, number } = useFormats();
  return useMemo(
    () => [
      { id: "issuer", title: say("issuer"), text: ({ issuer }) => nameOf(issuer) },
      {
        id: "people",
        title: say("people"),
        width: 120,
        align: "end",
        text: ({ people }) => number(people),
        order: (a, b) => a.people - b.people,
      },
      {
        id: "seen",
        title: say("lastSeen"),
        width: 180,
        text: ({ lastSeenAt }) => (lastSeenAt ? since(lastSeenAt) : say("never")),
        order: (a, b) => a.lastSeenAt.localeCompare(b.lastSeenAt),
      },
      { id: "roles", title: say("claimedRoles"), text: ({ claimedRoles }) => claimedRoles.join(", ") },
    ],
    [say, nameOf, since, number],
  );
}
