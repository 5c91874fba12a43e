import * as z from "zod/mini";
import { defineAction } from "../contract/define-action.ts";
import { agentGuide } from "./agent-guide.ts";

export const aiAgentsInstructions = defineAction({
  group: "config",
  name: "ai_agents_instructions",
  title: "Instructions for agents",
  description:
    "Tells an agent in Markdown how to work with the service: how to call actions, name things, steer a call, what to do about each problem, and how to get from a source to a finished model.",
  intent: "other",
  safe: true,
  rule: "public",
  input: {},
  output: { mediaType: "text/plain", description: "A guide in Markdown.", schema: () => z.string() },
  errors: [],
  example: {},
  run: async ({ ports }) => {
    const paths = new Set((await ports.actions()).map(({ group, name }) => `${group}/${name}`));
    return { body: agentGuide((path) => paths.has(path)) };
  },
});
