import { ActionIcon, SegmentedControl, Select, TextInput } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { CONDITIONS, type Condition, type ConditionSort, isWithoutValue } from "../../parts/search/conditions.ts";
import { useSearchWords } from "../../words/search.ts";
import { ListValue } from "./list-value.tsx";
import styles from "./search.module.css";

interface ConditionsProps {
  readonly conditions: readonly Condition[];
  readonly change: (conditions: readonly Condition[]) => void;
  readonly operator: "and" | "or";
  readonly join: (operator: "and" | "or") => void;
  /** True where the text above is one condition more. */
  readonly hasText: boolean;
}

/** The conditions of a search beside its text, and whether all of them have to hold or any. */
export function Conditions({ conditions, change, operator, join, hasText }: ConditionsProps): ReactNode {
  const say = useSearchWords();
  if (conditions.length === 0) return null;
  return (
    <fieldset className={styles.conditions}>
      <legend>{say("conditions")}</legend>
      {(conditions.length > 1 || hasText) && (
        <SegmentedControl
          size="xs"
          className={styles.operator}
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
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no other names
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

function ConditionRow({ number, condition, change, remove }: ConditionRowProps): ReactNode {
  const say = useSearchWords();
  const ways: readonly string[] = CONDITIONS[condition.type];
  const chooseSort = (type: ConditionSort): void => change({ type, condition: CONDITIONS[type][0], values: [] });
  const chooseWay = (way: string): void => {
    const isSame = (way === "equals") === (condition.condition === "equals");
    change({ ...condition, condition: way, values: isSame ? condition.values : [] });
  };
  return (
    <div className={styles.condition}>
      <Select
        className={styles.sort}
        size="xs"
        aria-label={say("sortOf", { number })}
        data={(Object.keys(CONDITIONS) as ConditionSort[]).map((type) => ({ value: type, label: say(`sort_${type}`) }))}
        value={condition.type}
        allowDeselect={false}
        onChange={(value) => value && chooseSort(value as ConditionSort)}
      />
      <Select
        className={styles.way}
        size="xs"
        aria-label={say("wayOf", { number })}
        data={ways.map((way) => ({ value: way, label: say(way as "anyOf") }))}
        value={condition.condition}
        allowDeselect={false}
        onChange={(value) => value && chooseWay(value)}
      />
      <ConditionValue number={number} condition={condition} change={change} />
      <ActionIcon variant="subtle" color="gray" aria-label={say("removeCondition", { number })} onClick={remove}>
        <IconX size={16} />
      </ActionIcon>
    </div>
  );
}

function ConditionValue({ number, condition, change }: Omit<ConditionRowProps, "remove">): ReactNode {
  const say = useSearchWords();
  const { type, values } = condition;
  const put = (next: readonly string[]): void => change({ ...condition, values: next });
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
          placeholder={say("propertyName")}
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
