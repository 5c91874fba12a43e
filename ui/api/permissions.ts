import { useRead } from "./reads.ts";
import type { OutputOf } from "./service.ts";

type Permissions = OutputOf<"config/inspect_permissions">["items"];

/** A permission with its texts and what it implies directly. */
export type Permission = Permissions[number];

/** All permissions, in the order of the service; empty until they are known. */
export function usePermissions(): readonly Permission[] {
  return useRead("config/inspect_permissions", {}).data?.body.items ?? [];
}

/** The permissions that some of them imply, directly or not, each with the one that brings it; without those given. */
export function impliedBy(all: readonly Permission[], given: readonly string[]): ReadonlyMap<string, string> {
  const brought = new Map<string, string>();
  const open = [...given];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const implied of all.find(({ id }) => id === next)?.implies ?? []) {
      if (given.includes(implied) || brought.has(implied)) continue;
      brought.set(implied, next);
      open.push(implied);
    }
  }
  return brought;
}
