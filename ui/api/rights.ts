import { useRead } from "./reads.ts";
import { useSession } from "./session.ts";

/** Who is signed in, and what they may do. */
export function useCaller() {
  const session = useSession();
  const read = useRead("auth/whoami", session && {});
  return session ? read.data?.body : undefined;
}

/** Answers whether the caller may run an action, by its name; no while that is not known. */
export function useMay(): (action: string) => boolean {
  const session = useSession();
  const read = useRead("config/inspect_actions", session && {});
  const names = new Set((read.data?.body.items ?? []).map((item) => item.actionRef));
  return (action) => names.has(action);
}
