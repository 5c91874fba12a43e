import { meant, usage } from "../terminal/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Configuration, Profile } from "./configuration.ts";
import type { Common } from "./flags.ts";

/** A value and the source it comes from. */
export interface Setting<T = string> {
  readonly value: T;
  readonly from: string;
}

export interface Settings {
  readonly profileName: Setting;
  readonly profile: Profile;
  readonly url: Setting;
  readonly token?: Setting;
  readonly output?: Setting;
}

export const DEFAULT_URL = "http://127.0.0.1:8080";

/**
 * The settings of a call: a flag goes before the environment, that before the profile, that before the default.
 * `mayBeNew`: the profile need not be there yet.
 */
export function settle(
  common: Common,
  place: Terminal,
  configuration: Configuration,
  { mayBeNew = false }: { readonly mayBeNew?: boolean } = {},
): Settings {
  const { environment } = place;
  const flag = (name: "url" | "token" | "profile" | "output"): Setting | undefined =>
    common[name] === undefined ? undefined : { value: common[name], from: `--${name}` };
  const variable = (name: string): Setting | undefined =>
    environment[name] ? { value: environment[name], from: name } : undefined;

  const profileName = flag("profile") ??
    variable("METACTION_PROFILE") ??
    (configuration.profile ? { value: configuration.profile, from: "configuration file" } : undefined) ?? {
      value: "default",
      from: "default",
    };
  const { profiles } = configuration;
  const profile = Object.hasOwn(profiles, profileName.value) ? profiles[profileName.value] : undefined;
  if (!profile && profileName.from !== "default" && !mayBeNew) {
    const way = profileMeant(profileName.value, configuration);
    throw usage(`${profileName.from} names the profile ${profileName.value}, which is not there${way}`);
  }
  const kept = (member: "url" | "token" | "output"): Setting | undefined =>
    profile?.[member] ? { value: profile[member], from: `profile ${profileName.value}` } : undefined;

  const url = withoutSlash(
    flag("url") ?? variable("METACTION_URL") ?? kept("url") ?? { value: DEFAULT_URL, from: "default" },
  );
  // A token is shown only to the service it was got from.
  const isOfProfile = profile?.url === url.value;
  const token = flag("token") ?? variable("METACTION_TOKEN") ?? (isOfProfile ? kept("token") : undefined);
  const output = flag("output") ?? kept("output");
  return {
    profileName,
    profile: profile ?? {},
    url,
    ...(token && { token }),
    ...(output && { output }),
  };
}

/** The end of a sentence about a profile that is not there. */
export function profileMeant(name: string, { profiles }: Configuration): string {
  const known = Object.keys(profiles);
  if (known.length === 0) return "; make one with: metaction init";
  return meant(name, known, `see: metaction use (profiles: ${known.join(", ")})`);
}

function withoutSlash({ value, from }: Setting): Setting {
  if (!/^https?:/.test(value) || !URL.canParse(value)) {
    throw usage(`${from}: ${JSON.stringify(value)} is no URL of a service; write one like ${DEFAULT_URL}`);
  }
  const { username, password } = new URL(value);
  if (username || password)
    throw usage(
      `${from} holds a name or a password, which a service takes no notice of; sign in with: metaction login`,
    );
  return { value: value.replace(/\/+$/, ""), from };
}
