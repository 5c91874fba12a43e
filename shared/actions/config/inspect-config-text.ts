import * as z from "zod/mini";
import { defineAction } from "../contract/define-action.ts";
import { configFacts } from "./inspect-config.ts";

export const inspectConfigText = defineAction({
  group: "config",
  name: "inspect_config_text",
  title: "Inspect configuration as text",
  description: "Says what `inspect_config` says, as text for people: one fact per line, values below each other.",
  intent: "other",
  safe: true,
  rule: "signed_in",
  input: {},
  output: { mediaType: "text/plain", description: "The running service.", schema: () => z.string() },
  errors: [],
  example: {},
  run: async ({ call, ports }) => {
    const { limits, ...facts } = configFacts(call.principal, ports.service);
    return { body: [...aligned(facts), "", "limits", ...aligned(limits, "  "), ""].join("\n") };
  },
});

/** One line per member, the values in one column. */
function aligned(facts: Readonly<Record<string, string | number>>, indent = ""): readonly string[] {
  const width = Math.max(...Object.keys(facts).map((name) => name.length));
  return Object.entries(facts).map(([name, value]) => `${indent}${name.padEnd(width)}  ${value}`);
}
