import { Badge } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useCallback } from "react";
import { BUILT_IN } from "../../../shared/domain/accounts/principal.ts";
import type { Read } from "../../api/reads.ts";
import { useMay } from "../../api/rights.ts";
import type { Column } from "../../parts/grid/column.ts";
import { DataGrid } from "../../parts/grid/data-grid.tsx";
import type { GridView } from "../../parts/grid/grid-view.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { PageHeader, Split, showCurrent } from "../../parts/page.tsx";
import { TableSkeleton } from "../../parts/skeletons.tsx";
import { useWords } from "../../words/words.ts";
import styles from "./administration.module.css";

/** The sections, with the action that a person has to be allowed to run to see one. */
const SECTIONS = [
  { to: "/administration/people", word: "people", needs: "auth/actor_list" },
  { to: "/administration/roles", word: "roles", needs: "auth/role_list" },
  { to: "/administration/tokens", word: "tokens", needs: "auth/token_list" },
  { to: "/administration/properties", word: "properties", needs: "property/definition_list" },
  { to: "/administration/issuers", word: "issuers", needs: "auth/actor_list" },
  { to: "/administration/audit", word: "audit", needs: "auth/audit_list" },
] as const;

interface AdministrationFrameProps {
  /** The section that is shown. */
  readonly section: (typeof SECTIONS)[number]["word"];
  /** The buttons of the section. */
  readonly actions?: ReactNode;
  /** What is selected, beside the section. */
  readonly panel?: ReactNode;
  readonly children: ReactNode;
}

/** The head of the administration with the sections that the person may see, and below it the one that is shown. */
export function AdministrationFrame({ section, actions, panel, children }: AdministrationFrameProps): ReactNode {
  const say = useWords("administration");
  const may = useMay();
  const shown = SECTIONS.filter(({ needs, word }) => word === section || may(needs));
  return (
    <>
      <PageHeader title={say(section)} crumbs={[say("title")]} actions={actions} />
      {/* Drawn anew once it is known what the person may see, so that the section is in sight among all. */}
      <nav key={shown.length} className={styles.sections} aria-label={say("sections")} ref={showCurrent}>
        {shown.map(({ to, word }) => (
          <Link key={to} to={to} className={styles.section} aria-current={word === section ? "page" : undefined}>
            {say(word)}
          </Link>
        ))}
      </nav>
      <Split panel={panel}>
        <div className={styles.content}>{children}</div>
      </Split>
    </>
  );
}

interface FactsProps {
  /** Names and values; those without a value are left out. */
  readonly facts: readonly (readonly [name: string, value: ReactNode])[];
}

/** What is known of one thing, name beside value. */
export function Facts({ facts }: FactsProps): ReactNode {
  const known = facts.filter(([, value]) => value !== undefined && value !== null && value !== "");
  return (
    <dl className={styles.facts}>
      {known.map(([name, value]) => [<dt key={`${name} name`}>{name}</dt>, <dd key={`${name} value`}>{value}</dd>])}
    </dl>
  );
}

/** Whether the service itself signs somebody in. */
export const isBuiltIn = (issuer: string): boolean => issuer === BUILT_IN;

/** Answers what people call an issuer: its address, or that it is the service. */
export function useIssuerName(): (issuer: string) => string {
  const say = useWords("administration");
  return useCallback((issuer) => (isBuiltIn(issuer) ? say("builtIn") : issuer.replace(/^https:\/\//, "")), [say]);
}

/** The key in a ref by key; any other text as it is. */
export const findNameOfRef = (text: string): string => text.replace(/^key:/, "");

export interface ListProps<B, T> {
  readonly read: Read<B>;
  /** Takes the rows from the answer. */
  readonly rows: (body: B) => readonly T[];
  readonly name: string;
  readonly label: string;
  readonly getId: (row: T) => string;
  readonly columns: readonly Column<T>[];
  readonly view: GridView;
  readonly setView: (view: GridView) => void;
  readonly open?: (row: T) => void;
  readonly openId?: string | undefined;
  /** Replaces a list without rows. */
  readonly empty?: ReactNode;
}

/** A list of the administration; its filters and its order are in the address. */
export function List<B, T>({ read, rows, empty, ...grid }: ListProps<B, T>): ReactNode {
  return (
    <Loaded read={read} skeleton={<TableSkeleton />}>
      {(body) => {
        const found = rows(body);
        return found.length === 0 && empty ? empty : <DataGrid rows={found} {...grid} />;
      }}
    </Loaded>
  );
}

export const getItems = <T,>({ items }: { readonly items: readonly T[] }): readonly T[] => items;
export const getId = ({ id }: { readonly id: string }): string => id;

/** A short note on the state of a row. */
export const Mark = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <Badge variant="default" tt="none" fw={500}>
    {children}
  </Badge>
);
