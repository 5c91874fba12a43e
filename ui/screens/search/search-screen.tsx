import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import { usePages } from "../../api/reads.ts";
import type { InputOf } from "../../api/service.ts";
import { AddressInput } from "../../parts/address-input.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { AddButton } from "../../parts/icon-button.tsx";
import { PageBody, PageHeader } from "../../parts/page.tsx";
import { ProblemBox } from "../../parts/problem-box.tsx";
import { buildFilters, type Condition, formatCondition, parseConditions } from "../../parts/search/conditions.ts";
import { TableSkeleton } from "../../parts/skeletons.tsx";
import { useWords } from "../../words/words.ts";
import { Conditions } from "./conditions-form.tsx";
import { FoundObjects } from "./found-objects.tsx";
import styles from "./search.module.css";

const route = getRouteApi("/shell/search");

type Filters = InputOf<"model/search">["filters"];

const PAGE = 1_000;
/** Milliseconds without typing before the search starts. */
const SEARCH_DELAY = 200;

/** Searches all models by text, tags, properties and constraints. */
export function SearchScreen(): ReactNode {
  const say = useWords("search");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const conditions = parseConditions(search.where);
  const operator = search.op ?? "and";
  const put = (values: Partial<typeof search>) =>
    void navigate({ search: (before) => ({ ...before, ...values }), replace: true, resetScroll: false });
  const putConditions = (next: readonly Condition[]) =>
    put({ where: next.length > 0 ? next.map(formatCondition) : undefined });
  const [json] = useDebouncedValue(
    JSON.stringify(buildFilters(search.q ?? "", conditions, operator) ?? null),
    SEARCH_DELAY,
  );
  // The service validates the conditions.
  const filters = JSON.parse(json) as Filters | null;
  const pages = usePages("model/search", filters ? { filters, fields: ["location"] } : undefined, {
    limit: PAGE,
    keep: true,
  });
  return (
    <>
      <PageHeader title={say("search")} />
      <PageBody>
        <div className={styles.ask}>
          <SearchField value={search.q ?? ""} change={(q) => put({ q: q || undefined })} />
          <AddButton
            variant="default"
            label={say("addCondition")}
            run={() => putConditions([...conditions, { type: "tags", condition: "anyOf", values: [] }])}
          />
        </div>
        <Conditions
          conditions={conditions}
          change={putConditions}
          operator={operator}
          join={(op) => put({ op: op === "or" ? "or" : undefined })}
          hasText={Boolean(search.q)}
        />
        {pages.problem && filters && (
          <div className={styles.problem}>
            <ProblemBox problem={pages.problem} retry={pages.retry} />
          </div>
        )}
        {!filters && <EmptyState icon={IconSearch} title={say("emptyTitle")} text={say("emptyText")} />}
        {filters && !pages.isThere && !pages.problem && <TableSkeleton />}
        {filters && pages.isThere && !pages.problem && <FoundObjects pages={pages} page={PAGE} />}
      </PageBody>
    </>
  );
}

interface SearchFieldProps {
  readonly value: string;
  readonly change: (text: string) => void;
}

function SearchField({ value, change }: SearchFieldProps) {
  const say = useWords("search");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <AddressInput
      ref={field}
      id="search"
      type="search"
      className={styles.field}
      leftSection={<IconSearch size={16} aria-hidden />}
      placeholder={say("field")}
      aria-label={say("field")}
      value={value}
      change={change}
    />
  );
}
