/* The meaning of permissions, implemented a second time for comparison with the service. */

export interface CastModel {
  readonly id: string;
  readonly key: string;
}

export const OF_MODELS = [
  ...["model_read", "model_write", "model_create_manual", "model_copy", "model_delete", "model_import"],
  ...["model_release", "model_update_authority", "tag_local_manage"],
] as const;

const OF_NO_MODEL = ["tag_global_manage", "tag_group_manage", "property_manage"];
export const EVERYTHING: readonly string[] = ["admin", ...OF_MODELS, ...OF_NO_MODEL];

const READING = ["model_read"];
const WRITING = ["model_write", "model_read"];

const MEANS: Readonly<Record<string, readonly string[]>> = {
  admin: EVERYTHING,
  model_write: READING,
  model_create_manual: WRITING,
  model_copy: WRITING,
  model_import: WRITING,
  model_delete: READING,
  model_release: READING,
  model_update_authority: READING,
};

/** The permissions that somebody holds everywhere, and those held on the models of a pattern. */
export interface Held {
  /** Patterns of the only models that an API token is for; all that it holds is held on these. */
  readonly within?: readonly string[];
  readonly everywhere: ReadonlySet<string>;
  readonly somewhere: readonly { readonly models: string; readonly permissions: ReadonlySet<string> }[];
}

export const NOTHING: Held = { everywhere: new Set(), somewhere: [] };

/** The permissions and all others that they include. */
export const meaning = (permissions: Iterable<string>): ReadonlySet<string> =>
  new Set([...permissions].flatMap((one) => [one, ...(MEANS[one] ?? [])]));

export interface GrantedRole {
  readonly key: string;
  readonly permissions: readonly string[];
}

/** The roles that are assigned to an actor, everywhere or on the models of a pattern, and whether it is disabled. */
export interface Assigned {
  readonly roles: readonly string[];
  readonly scopedRoles: readonly { readonly role: string; readonly models: string }[];
  readonly disabled: boolean;
}

/** What a token claims, and the bounds of an API token: the most it may do, and the patterns of the only models it is for. */
interface Bearing {
  readonly claims?: readonly string[];
  readonly atMost?: readonly string[] | undefined;
  readonly models?: readonly string[] | undefined;
}

const isOfModels = (permission: string) => OF_MODELS.some((known) => known === permission);

/** The permissions that are held by assignment and by claim, within the bounds of an API token. */
export function heldBy(
  { roles, scopedRoles, disabled }: Assigned,
  all: ReadonlyMap<string, GrantedRole>,
  { claims = [], atMost, models: within }: Bearing = {},
): Held {
  if (disabled) return NOTHING;
  const most = atMost ? meaning(atMost) : new Set(EVERYTHING);
  const bounded = (permissions: Iterable<string>) => new Set([...meaning(permissions)].filter((p) => most.has(p)));
  const claimed = [...all].filter(([, { key }]) => claims.includes(key)).map(([id]) => id);
  const everywhere = bounded([...roles, ...claimed].flatMap((id) => all.get(id)?.permissions ?? []));
  const somewhere = scopedRoles.map(({ role, models }) => ({
    models,
    permissions: new Set([...bounded(all.get(role)?.permissions ?? [])].filter(isOfModels)),
  }));
  if (!within) return { everywhere, somewhere };
  // What concerns no model is lost, and the rest told as for the models of any key.
  const ofAny = { models: "*", permissions: new Set([...everywhere].filter(isOfModels)) };
  return { everywhere: new Set(), somewhere: [ofAny, ...somewhere], within };
}

export const anywhere = ({ everywhere, somewhere }: Held, permission: string): boolean =>
  everywhere.has(permission) || somewhere.some(({ permissions }) => permissions.has(permission));

export const onModel = ({ everywhere, somewhere, within = ["*"] }: Held, permission: string, model: CastModel) =>
  within.some((pattern) => isMeant(pattern, model)) &&
  (everywhere.has(permission) ||
    somewhere.some(({ models, permissions }) => permissions.has(permission) && isMeant(models, model)));

/** Whether a pattern means a model: as a ref the one it names, else every one whose key it fits. */
function isMeant(pattern: string, { id, key }: CastModel) {
  if (pattern.startsWith("id:") || pattern.startsWith("key:")) return [`id:${id}`, `key:${key}`].includes(pattern);
  return expressionOf(pattern).test(key);
}

/** A pattern as a regular expression; `\*` and `\\` stand for the characters. */
function expressionOf(pattern: string): RegExp {
  const source = pattern.replaceAll(/\\[\\*]|[\s\S]/g, (piece) =>
    piece === "*" ? "[\\s\\S]*" : (piece.at(-1) ?? "").replace(/[.*+?^${}()|[\]\\]/, "\\$&"),
  );
  return new RegExp(`^${source}$`);
}

/** The rights as `auth/whoami` answers them. */
export interface Told {
  readonly permissions: readonly string[];
  readonly scopes: readonly { readonly models: string; readonly permissions: readonly string[] }[];
  readonly within?: readonly string[];
}

const SHARED_KEYS = ["crm_a", "crm_*", "crm*", "other"];

/** The scopes as they are shown: to a token for some models its own patterns alone, with what it may do within each. */
function shownScopes({ somewhere, within }: Held, models: readonly CastModel[]): Held["somewhere"] {
  const known = [...models, ...SHARED_KEYS.map((key) => ({ id: "", key }))];
  const meet = (one: string, other: string) => known.some((model) => isMeant(one, model) && isMeant(other, model));
  return (
    within?.map((bound) => ({
      models: bound,
      permissions: new Set(
        somewhere.filter((scope) => meet(bound, scope.models)).flatMap(({ permissions }) => [...permissions]),
      ),
    })) ?? somewhere
  );
}

export const told = (held: Held, models: readonly CastModel[]): Told => ({
  permissions: [...held.everywhere],
  // A scope that gives no permission, as one with a role that is gone, is left out.
  scopes: shownScopes(held, models)
    .map(({ models, permissions }) => ({ models, permissions: [...permissions] }))
    .filter((scope) => scope.permissions.length > 0),
  ...(held.within && { within: held.within }),
});

/** Rights in the form in which two of them are compared. */
export const comparable = ({ permissions, scopes, within }: Told) => ({
  permissions: [...permissions].sort(),
  scopes: scopes.map((scope) => `${scope.models}: ${[...scope.permissions].sort().join(" ")}`).sort(),
  ...(within && { within: [...within] }),
});
