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

/** Sections, each with the action that the person must be permitted to run to see it. */
const SECTIONS = [
  { to: "/administration/people", word: "people", needs: "auth/actor_list" },
  { to: "/administration/roles", word: "roles", needs: "auth/role_list" },
  { to: "/administration/tokens", word: "tokens", needs: "auth/token_list" },
  { to: "/administration/properties", word: "properties", needs: "property/definition_list" },
  { to: "/administration/issuers", word: "issuers", needs: "auth/actor_list" },
  { to: "/administration/audit", word: "audit", needs: "auth/audit_list" },
] as const;

interface AdministrationFrameProps {
  /** The current section. */
  readonly section: (typeof SECTIONS)[number]["word"];
  /** Buttons of the section. */
  readonly actions?: ReactNode;
  /** Panel of the selected row. */
  readonly panel?: ReactNode;
  readonly children: ReactNode;
}

/** Head of the administration with the permitted sections, and the content of the current one. */
export function AdministrationFrame({ section, actions, panel, children }: AdministrationFrameProps): ReactNode {
  const say = useWords("administration");
  const may = useMay();
  const shown = SECTIONS.filter(({ needs, word }) => word === section || may(needs));
  return (
    <>
      <PageHeader title={say(section)} crumbs={[say("administration")]} actions={actions} />
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
  /** Names and values; entries without a value are omitted. */
  readonly facts: readonly (readonly [name: string, value: ReactNode])[];
}

/** Facts about an object as names and values. */
export function Facts({ facts }: FactsProps): ReactNode {
  const known = facts.filter(([, value]) => value !== undefined && value !== null && value !== "");
  return (
    <dl className="facts">
      {known.map(([name, value]) => [<dt key={`${name} name`}>{name}</dt>, <dd key={`${name} value`}>{value}</dd>])}
    </dl>
  );
}

/** Returns true if the service itself signs the person in. */
export const isBuiltIn = (issuer: string): boolean => issuer === BUILT_IN;

/** Returns a function that formats an issuer: its address, or the name of the service. */
export function useIssuerName(): (issuer: string) => string {
  const say = useWords("administration");
  return useCallback((issuer) => (isBuiltIn(issuer) ? say("builtIn") : issuer.replace(/^https:\/\//, "")), [say]);
}

/** Returns the key of a ref by key; any other text unchanged. */
export const findNameOfRef = (text: string): string => text.replace(/^key:/, "");

export interface ListProps<B, T> {
  readonly read: Read<B>;
  /** Returns the rows of the answer. */
  readonly getRows: (body: B) => readonly T[];
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

/** List of the administration; its filters and its order are in the address. */
export function List<B, T>({ read, getRows, empty, ...grid }: ListProps<B, T>): ReactNode {
  return (
    <Loaded read={read} skeleton={<TableSkeleton />}>
      {(body) => {
        const found = getRows(body);
        return found.length === 0 && empty ? empty : <DataGrid rows={found} {...grid} />;
      }}
    </Loaded>
  );
}

export const getItems = <T,>({ items }: { readonly items: readonly T[] }): readonly T[] => items;
export const getId = ({ id }: { readonly id: string }): string => id;

/** Short note on the state of a row. */
export const Mark = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <Badge variant="default" tt="none" fw={500}>
    {children}
  </Badge>
);
