import { MultiSelect, TagsInput } from "@mantine/core";
import type { ReactNode } from "react";
import { useRead } from "../../api/reads.ts";
import type { ConditionSort } from "../../parts/search/conditions.ts";
import { useSearchWords } from "../../words/search.ts";
import styles from "./search.module.css";

interface ListValueProps {
  readonly type: Exclude<ConditionSort, "text">;
  readonly values: readonly string[];
  readonly change: (values: readonly string[]) => void;
  readonly label: string;
}

/** The values of a condition that takes several: tags are chosen, names are typed. */
export function ListValue({ type, ...field }: ListValueProps): ReactNode {
  const say = useSearchWords();
  if (type === "tags") return <TagsValue {...field} />;
  if (type === "properties") return <PropertyNames {...field} />;
  const hint = type === "format" ? say("typeFormats") : say("typeKeywords");
  return <Names {...field} hint={hint} known={[]} />;
}

type FieldProps = Omit<ListValueProps, "type">;

/** Every tag by the ref that a search takes, which names it in whatever model it is. */
function TagsValue({ values, change, label }: FieldProps): ReactNode {
  const say = useSearchWords();
  const tags = useRead("tag/tag_search", {});
  const known = (tags.data?.body.items ?? []).map(({ id, key, name, group, model }) => ({
    value: group ? `key:${group.key}/${key}` : `id:${id}`,
    label: `${name ?? key} · ${group?.key ?? model?.key ?? ""}`,
  }));
  const missing = values.filter((ref) => !known.some(({ value }) => value === ref));
  return (
    <MultiSelect
      className={styles.value}
      size="xs"
      aria-label={label}
      placeholder={values.length === 0 ? say("chooseTags") : undefined}
      searchable
      clearable
      data={[...known, ...missing.map((ref) => ({ value: ref, label: ref }))]}
      value={[...values]}
      onChange={change}
    />
  );
}

function PropertyNames(props: FieldProps): ReactNode {
  const say = useSearchWords();
  const definitions = useRead("property/definition_list", {});
  const known = (definitions.data?.body.items ?? []).map(({ key }) => key);
  return <Names {...props} hint={say("typeNames")} known={known} />;
}

function Names({
  values,
  change,
  label,
  hint,
  known,
}: FieldProps & { readonly hint: string; readonly known: readonly string[] }): ReactNode {
  return (
    <TagsInput
      className={styles.value}
      size="xs"
      aria-label={label}
      placeholder={values.length === 0 ? hint : undefined}
      data={[...known]}
      value={[...values]}
      onChange={change}
    />
  );
}
