import { createUsageFailure, suggestWord } from "../terminal/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Configuration, Profile } from "./configuration.ts";
import type { Common } from "./flags.ts";

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

/** Resolves the settings: flag, environment, profile, default. `mayBeNew`: the profile may be missing. */
export function resolveSettings(
  common: Common,
  terminal: Terminal,
  configuration: Configuration,
  { mayBeNew = false }: { readonly mayBeNew?: boolean } = {},
): Settings {
  const { environment } = terminal;
  const readFlag = (name: "url" | "token" | "profile" | "output"): Setting | undefined =>
    common[name] === undefined ? undefined : { value: common[name], from: `--${name}` };
  const readVariable = (name: string): Setting | undefined =>
    environment[name] ? { value: environment[name], from: name } : undefined;

  const profileName = readFlag("profile") ??
    readVariable("METACTION_PROFILE") ??
    (configuration.profile ? { value: configuration.profile, from: "configuration file" } : undefined) ?? {
      value: "default",
      from: "default",
    };
  const { profiles } = configuration;
  const profile = Object.hasOwn(profiles, profileName.value) ? profiles[profileName.value] : undefined;
  if (!profile && profileName.from !== "default" && !mayBeNew) {
    const hint = suggestProfile(profileName.value, configuration);
    throw createUsageFailure(`${profileName.from} names profile ${profileName.value}, which does not exist${hint}`);
  }
  const readKept = (member: "url" | "token" | "output"): Setting | undefined =>
    profile?.[member] ? { value: profile[member], from: `profile ${profileName.value}` } : undefined;

  const url = removeTrailingSlash(
    readFlag("url") ?? readVariable("METACTION_URL") ?? readKept("url") ?? { value: DEFAULT_URL, from: "default" },
  );
  // A token is sent only to the service that issued it.
  const isOfProfile = profile?.url === url.value;
  const token = readFlag("token") ?? readVariable("METACTION_TOKEN") ?? (isOfProfile ? readKept("token") : undefined);
  const output = readFlag("output") ?? readKept("output");
  return {
    profileName,
    profile: profile ?? {},
    url,
    ...(token && { token }),
    ...(output && { output }),
  };
}

/** Returns the end of a message about an unknown profile. */
export function suggestProfile(name: string, { profiles }: Configuration): string {
  const names = Object.keys(profiles);
  if (names.length === 0) return "; create one with: metaction init";
  return suggestWord(name, names, `see: metaction use (profiles: ${names.join(", ")})`);
}

function removeTrailingSlash({ value, from }: Setting): Setting {
  if (!/^https?:/.test(value) || !URL.canParse(value)) {
    throw createUsageFailure(
      `${from}: ${JSON.stringify(value)} is not the URL of a service; write one like ${DEFAULT_URL}`,
    );
  }
  const { username, password } = new URL(value);
  if (username || password)
    throw createUsageFailure(
      `${from} contains a name or a password, which a service ignores; sign in with: metaction login`,
    );
  return { value: value.replace(/\/+$/, ""), from };
}
