import { IconArrowDown, IconArrowUp, IconCheck, IconPencil, IconTrash, IconX } from "@tabler/icons-react";
import { type ReactNode, useEffect, useMemo } from "react";
import type { ApiProblem } from "../../../../client/create-client.ts";
import type { ServiceDescription } from "../../../api/description.ts";
import { IconButton } from "../../../parts/icon-button.tsx";
import { useWords } from "../../../words/words.ts";
import type { Fault } from "../form/faults.ts";
import { createForm, type Field } from "../form/field.ts";
import { splitSecrets } from "../form/form-state.ts";
import { PayloadForm, PayloadJson } from "../form/payload-json.tsx";
import { usePayload } from "../form/use-payload.ts";
import { type EndedRun, useFieldFaults } from "../run/use-run.ts";
import { ValueTable } from "../run/value-table.tsx";
import styles from "./batch.module.css";
import { type BatchEntry, useEntries } from "./batch-call.ts";

interface EntryRowProps {
  readonly entry: BatchEntry;
  /** Position, counted from 0. */
  readonly at: number;
  readonly description: ServiceDescription;
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
  readonly setWrong: (isWrong: boolean) => void;
  readonly lastRun: EndedRun | undefined;
  readonly faults: readonly Fault[];
  readonly problem: ApiProblem | undefined;
  readonly result: unknown;
}

type ToolName = "entryUp" | "entryDown" | "entryClose" | "entryEdit" | "entryRemove";

/** An entry of the batch: its action, its result, and its form when open. */
export function EntryRow(props: EntryRowProps): ReactNode {
  const { entry, at, description, isOpen, setOpen, problem, faults, result } = props;
  const say = useWords("runner");
  const { entries, move, remove } = useEntries();
  const ref = `${entry.group}/${entry.action}`;
  const action = description.actions.get(ref);
  const form = useMemo(() => createForm(action?.input, description.schemas), [action, description]);
  const number = at + 1;
  const createTool = (name: ToolName, run: () => void, disabled = false) => {
    const label = say(name, { number });
    return { label, title: label, run, disabled };
  };
  const tools = {
    up: createTool("entryUp", () => move(at, at - 1), at === 0),
    down: createTool("entryDown", () => move(at, at + 1), number === entries.length),
    edit: createTool(isOpen ? "entryClose" : "entryEdit", () => setOpen(!isOpen)),
    remove: createTool("entryRemove", () => remove(entry.id)),
  };
  const isRefused = problem !== undefined || faults.length > 0;
  const { open } = splitSecrets(form, entry.payload);
  return (
    <li className={styles.entry} data-refused={isRefused || undefined} data-entry={number}>
      <div className={styles.head}>
        <span className={styles.number}>{number}</span>
        <div className={styles.what}>
          <span className="medium" lang="en">
            {action?.title ?? ref}
          </span>
          <span className="truncate quiet tiny mono" lang="en">
            {JSON.stringify(open)}
          </span>
        </div>
        {isRefused && (
          <span className={styles.state} data-refused>
            <IconX size={14} aria-hidden />
            {say("entryRefused")}
          </span>
        )}
        {result !== undefined && (
          <span className={styles.state}>
            <IconCheck size={14} aria-hidden />
            {say("ok")}
          </span>
        )}
        <div className={styles.tools}>
          <IconButton {...tools.up} icon={IconArrowUp} />
          <IconButton {...tools.down} icon={IconArrowDown} />
          <IconButton {...tools.edit} icon={IconPencil} aria-expanded={isOpen} />
          <IconButton {...tools.remove} icon={IconTrash} />
        </div>
      </div>
      {problem && (
        <p className={styles.fault} lang="en" role="alert">
          {problem.message}
        </p>
      )}
      {isOpen && <EntryForm {...props} form={form} />}
      {!isOpen && result !== undefined && (
        <div className={styles.answer}>
          <ValueTable value={result} label={`${say("result")} ${number}`} />
        </div>
      )}
    </li>
  );
}

function EntryForm({ entry, at, form, lastRun, faults, setWrong }: EntryRowProps & { readonly form: Field }) {
  const { edit } = useEntries();
  const state = usePayload(form, entry.payload);
  const sentRun = lastRun && { ...lastRun, payload: getSentPayload(lastRun, at) };
  const placement = useFieldFaults(form, state.payload, sentRun, faults);
  const { payload, secrets, drafts } = state;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the entry follows the content of its form
  useEffect(() => edit(entry.id, state.getWhole()), [payload, secrets]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: reported again when it changes
  useEffect(() => setWrong(drafts.size > 0), [drafts]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a closed form keeps its last valid payload
  useEffect(() => () => setWrong(false), []);
  return (
    <div className={styles.form}>
      <PayloadForm form={form} state={state} faults={placement.byField} prefix={`e${entry.id}`} />
      <PayloadJson form={form} state={state} />
    </div>
  );
}

function getSentPayload({ payload }: EndedRun, at: number): EndedRun["payload"] {
  const entries = payload.actions as readonly { readonly payload: EndedRun["payload"] }[] | undefined;
  return entries?.[at]?.payload ?? {};
}
