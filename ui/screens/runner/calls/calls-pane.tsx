import { Button, CopyButton, SegmentedControl, Text } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useFormats } from "../../../words/formats.ts";
import { useRunnerWords } from "../../../words/runner.ts";
import { TOKEN_VARIABLE, variablesIn, type WrittenCall } from "./call.ts";
import styles from "./calls.module.css";
import { commandOf } from "./command-line.ts";
import { curlOf } from "./curl.ts";
import { programOf } from "./typescript.ts";

const FORMS = { curl: curlOf, metaction: commandOf, TypeScript: programOf } as const;

type Form = keyof typeof FORMS;

const isForm = (text: string | null): text is Form => text !== null && Object.hasOwn(FORMS, text);

/** Where the browser remembers which form somebody prefers. */
const KEPT = "metaction.call";

/** The same call for a shell, for the command line and for a program, to copy. */
export function CallsPane({ call }: { readonly call: WrittenCall }): ReactNode {
  const say = useRunnerWords();
  const { list } = useFormats();
  const [form, setForm] = useState<Form>(() => {
    const kept = localStorage.getItem(KEPT);
    return isForm(kept) ? kept : "curl";
  });
  const text = FORMS[form](call);
  const secrets = variablesIn(call.payload);
  const choose = (next: string): void => {
    if (!isForm(next)) return;
    localStorage.setItem(KEPT, next);
    setForm(next);
  };
  return (
    <section className={styles.pane} aria-label={say("sameCall")}>
      <div className={styles.head}>
        <h2>{say("sameCall")}</h2>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button
              size="compact-xs"
              variant="subtle"
              color="gray"
              leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
              onClick={copy}
            >
              {copied ? say("copied") : say("copyCall")}
            </Button>
          )}
        </CopyButton>
      </div>
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label={say("sameCall")}
        value={form}
        onChange={choose}
        data={Object.keys(FORMS).map((value) => ({ value, label: <span lang="en">{value}</span> }))}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <pre className={styles.code} tabIndex={0} lang="en" data-call={form}>
        {text}
      </pre>
      <Text size="xs" c="dimmed">
        {!call.action.isPublic && say("tokenApart", { variable: TOKEN_VARIABLE })}{" "}
        {secrets.length > 0 && say("secretsFrom", { names: list(secrets) })}
      </Text>
    </section>
  );
}
