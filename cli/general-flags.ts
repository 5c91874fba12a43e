import { usage } from "./failure.ts";
import { COMMON_FLAGS, type CommonFlag, type GivenFlag, kebab, switchOf } from "./flags.ts";

type TextFlag = { [F in CommonFlag]: (typeof COMMON_FLAGS)[F]["form"] extends "text" ? F : never }[CommonFlag];
type SwitchFlag = Exclude<CommonFlag, TextFlag>;

/** The common flags that were given; each at most once. */
export type Common = { readonly [F in TextFlag]?: string } & { readonly [F in SwitchFlag]?: boolean };

/** Takes the common flags out of the flags of a command; `own` are the names that the command itself uses otherwise. */
export function takeCommon(
  flags: readonly GivenFlag[],
  own: (name: string) => boolean,
): { readonly common: Common; readonly rest: readonly GivenFlag[] } {
  const common: Record<string, string | boolean> = {};
  const rest: GivenFlag[] = [];
  for (const flag of flags) {
    const name = kebab(flag.name);
    const known = Object.hasOwn(COMMON_FLAGS, name) ? COMMON_FLAGS[name as CommonFlag] : undefined;
    if (!known || own(flag.name)) {
      rest.push(flag);
      continue;
    }
    if (Object.hasOwn(common, name)) throw usage(`--${name} is given twice`);
    common[name] = known.form === "switch" ? switchOf(flag) : String(flag.value);
  }
  // Each was read by the form of its flag.
  return { common: common as Common, rest };
}
