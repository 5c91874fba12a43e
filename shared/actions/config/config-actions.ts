import type { Action } from "../define-action.ts";
import { inspectActions, inspectActionsAll } from "./inspect-actions.ts";
import { inspectConfig } from "./inspect-config.ts";
import { inspectPermissions, inspectSecurityRules } from "./inspect-rules.ts";
import { inspectTypeSystem } from "./inspect-type-system.ts";

/** The actions of the group `config`. `all` gives every action of the service and is first asked when one of them runs. */
export function configActions(all: () => readonly Action[]): readonly Action[] {
  return [
    inspectActions(all),
    inspectActionsAll(all),
    inspectConfig,
    inspectPermissions,
    inspectSecurityRules,
    inspectTypeSystem,
  ];
}
