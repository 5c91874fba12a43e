import { MultiSelect, SegmentedControl, Select, TagsInput, TextInput } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useRead } from "../../api/reads.ts";
import { IconButton } from "../../parts/icon-button.tsx";
import { CONDITIONS, type Condition, type ConditionType, isWithoutValue } from "../../parts/search/conditions.ts";
import { useWords } from "../../words/words.ts";
import styles from "./search.module.css";

interface ConditionsProps {
  readonly conditions: readonly Condition[];
  readonly change: (conditions: readonly Condition[]) => void;
  readonly operator: "and" | "or";
  readonly join: (operator: "and" | "or") => void;
  readonly hasText: boolean;
}

/** Conditions of a search in addition to its text; all or any of them must match. */
export function Conditions({ conditions, change, operator, join, hasText }: ConditionsProps): ReactNode {
  const say = useWords("search");
  if (conditions.length === 0) return null;
  return (
    <fieldset className={styles.conditions}>
      <legend>{say("conditions")}</legend>
      {(conditions.length > 1 || hasText) && (
        <SegmentedControl
          size="xs"
          style={{ justifySelf: "start" }}
          aria-label={say("operator")}
          data={[
            { value: "and", label: say("all") },
            { value: "or", label: say("any") },
          ]}
          value={operator}
          onChange={(value) => join(value === "or" ? "or" : "and")}
        />
      )}
      {conditions.map((condition, at) => (
        <ConditionRow
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no names
          key={at}
          number={at + 1}
          condition={condition}
          change={(next) => change(conditions.with(at, next))}
          remove={() => change(conditions.toSpliced(at, 1))}
        />
      ))}
    </fieldset>
  );
}

interface ConditionRowProps {
  readonly number: number;
  readonly condition: Condition;
  readonly change: (condition: Condition) => void;
  readonly remove: () => void;
}

function ConditionRow({ number, condition, change, remove }: ConditionRowProps) {
  const say = useWords("search");
  const operators: readonly string[] = CONDITIONS[condition.type];
  const chooseType = (type: ConditionType) => change({ type, condition: CONDITIONS[type][0], values: [] });
  const chooseOperator = (operator: string) => {
    const isSame = (operator === "equals") === (condition.condition === "equals");
    change({ ...condition, condition: operator, values: isSame ? condition.values : [] });
  };
  return (
    <div className="wrap">
      <Select
        w={132}
        size="xs"
        aria-label={say("sortOf", { number })}
        data={(Object.keys(CONDITIONS) as ConditionType[]).map((type) => ({ value: type, label: say(`sort_${type}`) }))}
        value={condition.type}
        allowDeselect={false}
        onChange={(value) => value && chooseType(value as ConditionType)}
      />
      <Select
        w={132}
        size="xs"
        aria-label={say("wayOf", { number })}
        data={operators.map((operator) => ({ value: operator, label: say(operator as "anyOf") }))}
        value={condition.condition}
        allowDeselect={false}
        onChange={(value) => value && chooseOperator(value)}
      />
      <ConditionValue number={number} condition={condition} change={change} />
      <IconButton label={say("removeCondition", { number })} icon={IconX} run={remove} />
    </div>
  );
}

function ConditionValue({ number, condition, change }: Omit<ConditionRowProps, "remove">) {
  const say = useWords("search");
  const { type, values } = condition;
  const put = (next: readonly string[]) => change({ ...condition, values: next });
  if (isWithoutValue(condition)) return <span className={styles.value} />;
  if (type === "text") {
    return (
      <TextInput
        className={styles.value}
        size="xs"
        aria-label={say("valueOf", { number })}
        value={values[0] ?? ""}
        onChange={(event) => put([event.currentTarget.value])}
      />
    );
  }
  if (condition.condition === "equals") {
    return (
      <div className={styles.pair}>
        <TextInput
          size="xs"
          aria-label={say("nameOf", { number })}
          placeholder={say("name")}
          value={values[0] ?? ""}
          onChange={(event) => put([event.currentTarget.value, values[1] ?? ""])}
        />
        <TextInput
          size="xs"
          aria-label={say("valueOf", { number })}
          placeholder={say("propertyValue")}
          value={values[1] ?? ""}
          onChange={(event) => put([values[0] ?? "", event.currentTarget.value])}
        />
      </div>
    );
  }
  return <ListValue type={type} values={values} change={put} label={say("valueOf", { number })} />;
}

interface ListValueProps {
  readonly type: Exclude<ConditionType, "text">;
  readonly values: readonly string[];
  readonly change: (values: readonly string[]) => void;
  readonly label: string;
}

const ListValue = ({ type, ...field }: ListValueProps) =>
  type === "tags" ? <TagsValue {...field} /> : <Names {...field} type={type} />;

type FieldProps = Omit<ListValueProps, "type">;

function TagsValue({ values, change, label }: FieldProps) {
  const say = useWords("search");
  const tags = useRead("tag/tag_search", {});
  const options = (tags.data?.body.items ?? []).map(({ id, key, name, group, model }) => ({
    value: group ? `key:${group.key}/${key}` : `id:${id}`,
    label: `${name ?? key} · ${group?.key ?? model?.key ?? ""}`,
  }));
  const missing = values.filter((ref) => !options.some(({ value }) => value === ref));
  return (
    <MultiSelect
      className={styles.value}
      size="xs"
      aria-label={label}
      placeholder={values.length === 0 ? say("chooseTags") : undefined}
      searchable
      clearable
      data={[...options, ...missing.map((ref) => ({ value: ref, label: ref }))]}
      value={[...values]}
      onChange={change}
    />
  );
}

const HINTS = { properties: "typeNames", format: "typeFormats", constraints: "typeKeywords" } as const;

function Names({ type, values, change, label }: FieldProps & { readonly type: keyof typeof HINTS }) {
  const say = useWords("search");
  const definitions = useRead("property/definition_list", type === "properties" ? {} : undefined);
  return (
    <TagsInput
      className={styles.value}
      size="xs"
      aria-label={label}
      placeholder={values.length === 0 ? say(HINTS[type]) : undefined}
      data={(definitions.data?.body.items ?? []).map(({ key }) => key)}
      value={[...values]}
      onChange={change}
    />
  );
}
