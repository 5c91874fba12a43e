import { Button, CopyButton, SegmentedControl } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { toCommandGroup } from "../../../../shared/domain/channels.ts";
import { useFormats } from "../../../words/formats.ts";
import { useWords } from "../../../words/words.ts";
import type { Control, Field } from "../form/field.ts";
import type { JsonObject } from "../form/form-state.ts";
import {
  formatShellPayload,
  isVariable,
  listVariables,
  quoteForShell,
  quoteTags,
  TOKEN_VARIABLE,
  toShellWord,
  type WrittenCall,
} from "./call.ts";
import styles from "./calls.module.css";

/** Formats a call as a program; token and secrets come from the environment. */
export function formatProgram(call: WrittenCall): string {
  const { action, url, payload, ifMatch, idempotencyKey, dryRun } = call;
  const members = Object.entries(payload).map(([name, value]) => [name, formatValue(value)] as const);
  const options = [
    ...(ifMatch ? [["ifMatch", formatTags(ifMatch)] as const] : []),
    ...(dryRun ? [["dryRun", "true"] as const] : []),
    ...(idempotencyKey && !dryRun ? [["idempotencyKey", JSON.stringify(idempotencyKey)] as const] : []),
  ];
  const args = [
    ...(members.length + options.length > 0 ? [formatObject(members)] : []),
    ...(options.length > 0 ? [formatObject(options)] : []),
  ];
  return [
    `import { createClient } from "metaction/client";`,
    "",
    `const api = createClient({ url: ${JSON.stringify(url)}${action.isPublic ? "" : `, token: process.env.${TOKEN_VARIABLE}`} });`,
    "",
    `const answer = await api.${action.group}.${action.name}(${args.join(", ")});`,
    "console.log(JSON.stringify(answer));",
  ].join("\n");
}

function formatTags(tags: string): string {
  const list = quoteTags(tags)
    .split(", ")
    .map((tag) => tag.replaceAll('"', ""));
  return formatValue(list.length === 1 ? list[0] : list);
}

function formatValue(value: unknown): string {
  const variable = isVariable(value);
  if (variable !== undefined) return `process.env.${variable} ?? ""`;
  if (Array.isArray(value)) return value.length === 0 ? "[]" : joinInLines(value.map(formatValue), "[", "]");
  if (typeof value === "object" && value !== null)
    return formatObject(Object.entries(value).map(([name, member]) => [name, formatValue(member)] as const));
  return JSON.stringify(value);
}

const LINE = 72;

function formatObject(members: readonly (readonly [string, string])[]): string {
  if (members.length === 0) return "{}";
  const parts = members.map(([name, value]) => `${formatMemberName(name)}: ${value}`);
  return joinInLines(parts, "{ ", " }");
}

function joinInLines(parts: readonly string[], open: string, close: string): string {
  const line = `${open}${parts.join(", ")}${close}`;
  if (line.length <= LINE && !line.includes("\n")) return line;
  const inner = parts.map((part) => `  ${part.replaceAll("\n", "\n  ")},\n`).join("");
  return `${open.trim()}\n${inner}${close.trim()}`;
}

function formatMemberName(name: string): string {
  // A plain member with this name would set the prototype of the object.
  if (name === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

const DEFAULT_URL = "http://127.0.0.1:8080";

/** Flags of the command line itself; parameters with these names cannot be flags. */
const OWN_FLAGS = new Set(
  "url token profile output query input wait yes quiet verbose curl color help dry-run if-match idempotency-key".split(
    " ",
  ),
);

const STRUCTURED: ReadonlySet<Control["kind"]> = new Set(["json", "object", "list", "choices", "variants"]);

/** Formats a call as a command; the token comes from the environment, and secrets are piped in. */
export function formatCommand(call: WrittenCall): string {
  const { action, form, url, payload, ifMatch, idempotencyKey, dryRun } = call;
  const flags = listVariables(payload).length > 0 ? undefined : formatFlags(payload, form);
  const words = [
    `metaction ${toCommandGroup(action.group)} ${action.name}`,
    ...(flags ?? ["--input=-"]),
    ...(ifMatch ? [`--if-match=${quoteForShell(quoteTags(ifMatch))}`] : []),
    ...(dryRun ? ["--dry-run"] : []),
    ...(idempotencyKey && !dryRun ? [`--idempotency-key=${toShellWord(idempotencyKey)}`] : []),
    ...(url === DEFAULT_URL ? [] : [`--url=${toShellWord(url)}`]),
  ];
  const command = words.join(words.length > 3 ? " \\\n  " : " ");
  return flags ? command : `printf '%s' ${formatShellPayload(payload)} |\n  ${command}`;
}

/** Formats the payload as flags; returns undefined if a member cannot be a flag. */
function formatFlags(payload: JsonObject, { control }: Field): readonly string[] | undefined {
  const members = control.kind === "object" ? control.members : [];
  const flags = Object.entries(payload).map(([name, value]) => {
    const member = members.find((one) => one.name === name);
    return member && formatFlag(member, value);
  });
  return flags.every((flag) => flag !== undefined) ? flags : undefined;
}

function formatFlag({ name, control: { kind } }: Field, value: unknown): string | undefined {
  if (!/^[A-Za-z][\w-]*$/.test(name) || OWN_FLAGS.has(name)) return undefined;
  // Numbers and booleans are plain, texts are quoted, everything else is JSON.
  if (kind === "flag") return typeof value === "boolean" ? `--${value ? "" : "no-"}${name}` : undefined;
  if (kind === "number") return typeof value === "number" ? `--${name}=${value}` : undefined;
  if (STRUCTURED.has(kind)) return value === null ? undefined : `--${name}=${toShellWord(JSON.stringify(value))}`;
  if (typeof value !== "string" || value === "-") return undefined;
  return `--${name}=${value === "" ? "" : toShellWord(value.replace(/^@/, "@@"))}`;
}

const FORMS = { curl: formatCurl, metaction: formatCommand, TypeScript: formatProgram } as const;

type Form = keyof typeof FORMS;

const isForm = (text: string | undefined): text is Form => text !== undefined && Object.hasOwn(FORMS, text);

/** The call as a shell command, a command of `metaction` and a program, to copy. */
export function CallsPane({ call }: { readonly call: WrittenCall }): ReactNode {
  const say = useWords("runner");
  const { formatList } = useFormats();
  const [form, setForm] = useLocalStorage<Form>({
    key: "metaction.call",
    defaultValue: "curl",
    getInitialValueInEffect: false,
    serialize: (form) => form,
    deserialize: (text) => (isForm(text) ? text : "curl"),
  });
  const text = FORMS[form](call);
  const secrets = listVariables(call.payload);
  return (
    <section className="column shrink" aria-label={say("sameCall")}>
      <div className={styles.callsHead}>
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
              {copied ? say("copied") : say("copy")}
            </Button>
          )}
        </CopyButton>
      </div>
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label={say("sameCall")}
        value={form}
        onChange={(next) => isForm(next) && setForm(next)}
        data={Object.keys(FORMS).map((value) => ({ value, label: <span lang="en">{value}</span> }))}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <pre className={styles.code} tabIndex={0} lang="en" data-call={form}>
        {text}
      </pre>
      <p className="hint">
        {!call.action.isPublic && say("tokenApart", { variable: TOKEN_VARIABLE })}{" "}
        {secrets.length > 0 && say("secretsFrom", { names: formatList(secrets) })}
      </p>
    </section>
  );
}

/** Formats a call as a curl command; the token and the secrets are environment variables. */
export function formatCurl(call: WrittenCall): string {
  const { action, url, payload, ifMatch, idempotencyKey, dryRun } = call;
  const lines = [
    `curl -sS ${toShellWord(`${url}/api/${action.group}/${action.name}`)}`,
    ...(action.isPublic ? [] : [`  -H "Authorization: Bearer $${TOKEN_VARIABLE}"`]),
    ...(ifMatch ? [`  -H ${quoteForShell(`If-Match: ${quoteTags(ifMatch)}`)}`] : []),
    ...(dryRun ? ["  -H 'Dry-Run: true'"] : []),
    ...(idempotencyKey && !dryRun ? [`  -H ${quoteForShell(`Idempotency-Key: ${idempotencyKey}`)}`] : []),
    "  -H 'Content-Type: application/json'",
    `  -d ${formatShellPayload(payload)}`,
  ];
  return lines.join(" \\\n");
}
