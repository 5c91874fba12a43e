import { Problem } from "../../domain/problems.ts";
import type { ValueType } from "../../domain/values/value-type.ts";

/** Announcement that a name will be removed. Both days are ISO 8601 dates in UTC. */
export interface Deprecation {
  readonly since: string;
  /** The first day on which the name may be removed, at least `LEAST_DEPRECATION_DAYS` after `since`. */
  readonly until: string;
  /** The replacement, such as `model/model_get`; absent for an alias, whose replacement is the declared name. */
  readonly use?: string;
}

/** Deprecation of an action or a parameter, with its replacement. */
export type Replaced = Deprecation & Required<Pick<Deprecation, "use">>;

/** Deprecation of an action, or of a name of its parameters, that a call uses. */
export interface UsedDeprecation extends Deprecation {
  /** `<group>/<action>`. */
  readonly action: string;
}

/** Days that a deprecated name is accepted at least; docs/compatibility.md promises them. */
export const LEAST_DEPRECATION_DAYS = 365;

/** Declared parameter of an action. `T` is the type for `run`; absent optional parameters are undefined. */
export interface Param<T = unknown> {
  readonly type: ValueType<unknown>;
  readonly required: boolean;
  /** True if omitting it, null or "" clears the stored value. */
  readonly clears: boolean;
  readonly description: string;
  /** Other names of the parameter; `addAliases` adds derived ones. */
  readonly aliases: readonly string[];
  readonly deprecated?: Deprecation;
  readonly deprecatedAliases?: Readonly<Record<string, Deprecation>>;
  /** For type inference only; never set. */
  readonly value?: T;
}

export type Params = Readonly<Record<string, Param>>;

/** Values of the declared parameters for `run`. */
export type Values<P extends Params> = { readonly [K in keyof P]: P[K] extends Param<infer T> ? T : never };

const createParam = <T>(
  type: ValueType<unknown>,
  required: boolean,
  clears: boolean,
  description: string,
  aliases: readonly string[],
): Param<T> => ({ type, required, clears, description, aliases });

/** Creates the problem for parameters that cannot be used together, or with this value. */
export function createParameterProblem(detail: string, ...names: readonly string[]): Problem {
  return new Problem("bad_parameters", detail, { errors: names.map((name) => ({ pointer: `/${name}`, detail })) });
}

/** Declares a required parameter. */
export function requireParam<T>(type: ValueType<T>, description: string, ...aliases: string[]): Param<T> {
  return createParam<T>(type, true, false, description, aliases);
}

/** Declares an optional parameter. */
export function allowParam<T>(type: ValueType<T>, description: string, ...aliases: string[]): Param<T | undefined> {
  return createParam<T | undefined>(type, false, false, description, aliases);
}

/** Declares a parameter that clears the stored value if it is absent. */
export function allowClearing<T>(type: ValueType<T>, description: string, ...aliases: string[]): Param<T | undefined> {
  return createParam<T | undefined>(type, false, true, description, aliases);
}

/** Marks a parameter as deprecated. */
export function deprecateParam<P extends Param>(
  param: P,
  deprecated: Replaced,
): P & { readonly deprecated: Deprecation } {
  return { ...param, deprecated };
}

/** Adds an alias that is deprecated. The name of the parameter replaces it. */
export function deprecateAlias<P extends Param>(param: P, alias: string, deprecation: Omit<Deprecation, "use">): P {
  const aliases = [...param.aliases.filter((one) => one !== alias), alias];
  return { ...param, aliases, deprecatedAliases: { ...param.deprecatedAliases, [alias]: deprecation } };
}
