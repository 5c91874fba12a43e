import { useRead } from "./reads.ts";
import type { OutputOf } from "./service.ts";
import { useSession } from "./session.ts";

/** Returns the signed-in actor and its permissions. */
export function useCaller() {
  const session = useSession();
  const read = useRead("auth/whoami", session && {});
  return session ? read.data?.body : undefined;
}

/** Returns a function that checks whether the caller may run an action; false while unknown. */
export function useMay(): (action: string) => boolean {
  const session = useSession();
  const read = useRead("config/inspect_actions", session && {});
  const names = new Set((read.data?.body.items ?? []).map((item) => item.actionRef));
  return (action) => names.has(action);
}

type Permissions = OutputOf<"config/inspect_permissions">["items"];

type Permission = Permissions[number];

/** Returns all permissions in the order of the service; empty until they are loaded. */
export function usePermissions(): readonly Permission[] {
  return useRead("config/inspect_permissions", {}).data?.body.items ?? [];
}

/** Lists the other permissions that the given ones imply, each with the one that implies it. */
export function listImpliedPermissions(
  all: readonly Permission[],
  ids: readonly string[],
): ReadonlyMap<string, string> {
  const origins = new Map<string, string>();
  const open = [...ids];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const impliedId of all.find(({ id }) => id === next)?.implies ?? []) {
      if (ids.includes(impliedId) || origins.has(impliedId)) continue;
      origins.set(impliedId, next);
      open.push(impliedId);
    }
  }
  return origins;
}
