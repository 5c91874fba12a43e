import type { Action } from "../contract/action.ts";
import { aiAgentsInstructions } from "./ai-agents-instructions.ts";
import { inspectActions, inspectActionsAll } from "./inspect-actions.ts";
import { inspectConfig } from "./inspect-config.ts";
import { inspectConfigText } from "./inspect-config-text.ts";
import { inspectPermissions, inspectSecurityRules } from "./inspect-rules.ts";
import { inspectTypeSystem } from "./inspect-type-system.ts";
import { signInOptions } from "./sign-in-options.ts";

/** The actions of the group `config`. */
export const configActions = [
  inspectActions,
  inspectActionsAll,
  inspectConfig,
  inspectConfigText,
  inspectPermissions,
  inspectSecurityRules,
  inspectTypeSystem,
  signInOptions,
  aiAgentsInstructions,
] as const satisfies readonly Action[];
