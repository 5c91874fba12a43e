import { Button, Checkbox, Highlight, Text, UnstyledButton } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import type { Pages } from "../../api/reads.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { downloadFile } from "../../parts/formats/download.ts";
import { formatCsv } from "../../parts/grid/paste-rows.ts";
import { PathLink } from "../../parts/links.tsx";
import { LongList } from "../../parts/long-list.tsx";
import {
  countByValue,
  getHitKey,
  getHitLabel,
  getHitPath,
  type Hit,
  listParentLabels,
} from "../../parts/search/hits.ts";
import { KeyText } from "../../parts/text/key-text.tsx";
import { useFormats } from "../../words/formats.ts";
import { useKindWord, useWords } from "../../words/words.ts";
import styles from "./search.module.css";

const route = getRouteApi("/shell/search");

interface FoundObjectsProps {
  readonly pages: Pages<Hit>;
  readonly page: number;
}

/** Search results with filters by kind and model, links, and CSV export. */
export function FoundObjects({ pages, page }: FoundObjectsProps): ReactNode {
  const say = useWords("search");
  const kindWord = useKindWord();
  const formats = useFormats();
  const { kind: kinds = [], model: models = [], q = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const isOfKind = ({ location }: Hit) => kinds.length === 0 || kinds.includes(location.objectType);
  const isOfModel = ({ location }: Hit) => models.length === 0 || models.includes(location.modelKey);
  const { rows } = pages;
  const visibleRows = rows.filter((one) => isOfKind(one) && isOfModel(one));
  const labels = new Map(rows.map(({ location }) => [location.modelKey, location.modelLabel]));
  const put = (values: { kind?: readonly string[] | undefined; model?: readonly string[] | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...values }), replace: true, resetScroll: false });
  const toOptionalList = (values: readonly string[]) => (values.length > 0 ? values : undefined);
  if (rows.length === 0) return <EmptyState title={say("nothing")} text={say("nothingText")} />;
  const download = () => {
    const head = [say("kind"), say("model"), say("path"), say("key"), say("name")];
    const cells = visibleRows.map((one) => [
      kindWord(one.location.objectType),
      one.location.modelKey,
      one.path,
      getHitKey(one),
      getHitLabel(one) === getHitKey(one) ? "" : getHitLabel(one),
    ]);
    downloadFile("search.csv", "text/csv", formatCsv([head, ...cells]));
  };
  const count =
    visibleRows.length < rows.length
      ? say("shownOf", { shown: formats.formatNumber(visibleRows.length), all: formats.formatNumber(rows.length) })
      : pages.more
        ? say("foundAtLeast", { count: formats.formatNumber(rows.length) })
        : say("found", { count: rows.length });
  return (
    <div className={styles.columns}>
      <div className={styles.facets}>
        <Facet
          title={say("kinds")}
          values={countByValue(rows.filter(isOfModel), ({ location }) => location.objectType)}
          choices={kinds}
          getLabel={kindWord}
          choose={(next) => put({ kind: toOptionalList(next) })}
        />
        <Facet
          title={say("models")}
          values={countByValue(rows.filter(isOfKind), ({ location }) => location.modelKey)}
          choices={models}
          getLabel={(key) => labels.get(key) ?? key}
          getKey={(key) => key}
          choose={(next) => put({ model: toOptionalList(next) })}
        />
      </div>
      <section aria-label={say("results")} className="shrink">
        <div className={styles.resultsHead}>
          <Text fz="sm" c="dimmed" role="status">
            {count}
          </Text>
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={download}
          >
            {say("csv")}
          </Button>
        </div>
        {visibleRows.length === 0 && (
          <EmptyState
            title={say("nothingOfFacet")}
            action={
              <Button variant="default" onClick={() => put({ kind: undefined, model: undefined })}>
                {say("clearFacets")}
              </Button>
            }
          />
        )}
        <LongList
          rows={visibleRows}
          getId={({ id, location }) => `${location.modelId} ${id}`}
          getHeight={() => 45}
          renderRow={(hit) => <HitRow hit={hit} searchText={q} kind={kindWord(hit.location.objectType)} />}
        />
        {pages.more && (
          <div className={styles.more}>
            <Text fz="sm">{say("partial")}</Text>
            <Button size="compact-sm" variant="default" loading={pages.isReading} onClick={pages.more}>
              {say("loadMore", { count: formats.formatNumber(page) })}
            </Button>
          </div>
        )}
      </section>
    </div>
  );
}

interface HitRowProps {
  readonly hit: Hit;
  readonly searchText: string;
  readonly kind: string;
}

function HitRow({ hit, searchText, kind }: HitRowProps) {
  const [label, key] = [getHitLabel(hit), getHitKey(hit)];
  return (
    <PathLink path={getHitPath(hit)} className={styles.row}>
      <span className={styles.kind}>{kind}</span>
      <span className={styles.name}>
        {label !== key && (
          <Highlight component="span" highlight={searchText} lang="en" dir="auto" fw={500} mr={8}>
            {label}
          </Highlight>
        )}
        <KeyText value={key} strong={label === key} />
      </span>
      <span className={styles.path} lang="en" dir="auto">
        {listParentLabels(hit).join(" › ")}
      </span>
    </PathLink>
  );
}

const MAX_VALUES = 10;

interface FacetProps {
  readonly title: string;
  readonly values: readonly { readonly value: string; readonly count: number }[];
  readonly choices: readonly string[];
  readonly getLabel: (value: string) => string;
  readonly getKey?: (value: string) => string;
  readonly choose: (values: readonly string[]) => void;
}

function Facet({ title, values, choices, getLabel, getKey, choose }: FacetProps) {
  const say = useWords("changes");
  const formats = useFormats();
  const [isWhole, setIsWhole] = useState(false);
  const missing = choices.filter((one) => !values.some(({ value }) => value === one));
  const all = [...values, ...missing.map((value) => ({ value, count: 0 }))];
  const visibleValues = isWhole ? all : all.filter(({ value }, at) => at < MAX_VALUES || choices.includes(value));
  const toggle = (value: string) =>
    choose(choices.includes(value) ? choices.filter((one) => one !== value) : [...choices, value]);
  return (
    <fieldset className={styles.facet}>
      <legend>{title}</legend>
      {visibleValues.map(({ value, count }) => {
        const label = getLabel(value);
        const key = getKey?.(value);
        return (
          <div key={value} className={styles.facetRow}>
            <Checkbox
              size="xs"
              checked={choices.includes(value)}
              onChange={() => toggle(value)}
              label={
                <>
                  <bdi>{label}</bdi>
                  {key !== undefined && key !== label && (
                    <span className={styles.facetKey}>
                      <KeyText value={key} most={24} />
                    </span>
                  )}
                </>
              }
            />
            <span className="quiet small rigid digits">{formats.formatNumber(count)}</span>
          </div>
        );
      })}
      {visibleValues.length < all.length && (
        <UnstyledButton className={styles.facetMore} onClick={() => setIsWhole(true)}>
          {say("showMore", { count: all.length - visibleValues.length })}
        </UnstyledButton>
      )}
    </fieldset>
  );
}
