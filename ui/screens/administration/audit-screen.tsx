import { Badge, Button, Table } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { usePages } from "../../api/pages.ts";
import type { OutputOf } from "../../api/service.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { LoadedPages } from "../../parts/loaded-pages.tsx";
import { useFormats } from "../../words/formats.ts";
import { useWords } from "../../words/words.ts";
import { AdministrationFrame } from "./administration-frame.tsx";
import { AuditFilter } from "./audit-filter.tsx";
import { AuditPanel } from "./audit-panel.tsx";

const auditRoute = getRouteApi("/shell/administration/audit");
const PAGE = 50;

type Entry = OutputOf<"auth/audit_list">["items"][number];

/** Who did what to users, actors, roles, passwords and tokens, newest first. */
export function AuditScreen(): ReactNode {
  const say = useWords("administration");
  const { entry, ...filter } = auditRoute.useSearch();
  const navigate = auditRoute.useNavigate();
  const { act, outcome, actor, from, until } = filter;
  const input = {
    expand: "keys",
    ...(act && { act }),
    ...(outcome && { outcome }),
    ...(actor && { actorId: actor }),
    ...(from && { from: `${from}T00:00:00Z` }),
    ...(until && { until: `${until}T00:00:00Z` }),
  } as const;
  const pages = usePages("auth/audit_list", input, { limit: PAGE });
  const open = (id: string | undefined): void => void navigate({ search: (before) => ({ ...before, entry: id }) });
  const chosen = pages.rows.find(({ id }) => id === entry);
  return (
    <AdministrationFrame section="audit" panel={chosen && <AuditPanel entry={chosen} close={() => open(undefined)} />}>
      <AuditFilter
        filter={filter}
        change={(next) => void navigate({ search: (before) => ({ ...before, ...next }), replace: true })}
      />
      <LoadedPages pages={pages} empty={<EmptyState title={say("auditEmpty")} text={say("auditEmptyText")} />}>
        {(entries) => <Entries entries={entries} entry={entry} open={open} />}
      </LoadedPages>
    </AdministrationFrame>
  );
}

interface EntriesProps {
  readonly entries: readonly Entry[];
  readonly entry: string | undefined;
  readonly open: (id: string) => void;
}

function Entries({ entries, entry, open }: EntriesProps): ReactNode {
  const say = useWords("administration");
  const { moment } = useFormats();
  return (
    <Table.ScrollContainer minWidth={640}>
      <Table highlightOnHover aria-label={say("audit")}>
        <Table.Thead>
          <Table.Tr>
            {(["time", "act", "outcome", "who", "details"] as const).map((word) => (
              <Table.Th key={word}>{say(word)}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((one) => (
            <Table.Tr key={one.id} {...(one.id === entry && { bg: "var(--page-chosen)" })}>
              <Table.Td>{moment(one.time)}</Table.Td>
              <Table.Td lang="en">{one.act}</Table.Td>
              <Table.Td>
                <Badge
                  variant="default"
                  tt="none"
                  fw={500}
                  {...(one.outcome === "refused" && { c: "var(--sign-breaking)" })}
                >
                  {say(one.outcome)}
                  {one.count !== undefined && `, ${say("times", { count: one.count })}`}
                </Badge>
              </Table.Td>
              <Table.Td>
                <bdi lang="en">{one.actor?.name ?? one.actor?.subject ?? say("nobody")}</bdi>
              </Table.Td>
              <Table.Td>
                <Button size="compact-sm" variant="subtle" onClick={() => open(one.id)}>
                  {say("details")}
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
