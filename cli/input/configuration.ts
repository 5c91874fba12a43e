import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { parse, stringify } from "smol-toml";
import { createUsageFailure } from "../terminal/failure.ts";
import { getUserFolder, type Terminal } from "../terminal/terminal.ts";
import { getMessage } from "./values.ts";

/** A profile: the settings of one service and how to sign in there. */
export interface Profile {
  readonly url?: string;
  readonly token?: string;
  /** Expiry of the token in milliseconds since 1970. */
  readonly expires?: number;
  readonly username?: string;
  readonly output?: string;
  /** OIDC issuer and client, for signing in again. */
  readonly issuer?: string;
  readonly client_id?: string;
  readonly resource?: string;
  readonly refresh_token?: string;
}

/** Members that a sign-in stores in the profile. */
export type SignedIn = Pick<Profile, "username" | "issuer" | "client_id" | "resource" | "refresh_token"> & {
  readonly token: string;
  readonly expires?: number;
};

export interface Configuration {
  readonly profile?: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

export function getConfigurationFile(terminal: Terminal): string {
  return `${getUserFolder(terminal, "config")}/config.toml`;
}

/** Reads the configuration file; a missing file is empty. */
export async function readConfiguration(terminal: Terminal): Promise<Configuration> {
  const file = getConfigurationFile(terminal);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return { profiles: {} };
    throw createUsageFailure(`${file} cannot be read: ${getMessage(error)}`);
  }
  const { mode } = statSync(file);
  if (process.platform !== "win32" && (mode & 0o077) !== 0) {
    terminal.stderr.writeLine(`${file} contains credentials and was readable by others; its mode is now private.`);
    chmodSync(file, 0o600);
  }
  try {
    // Members are checked where they are used; all of them are texts.
    const { profile, profiles = {} } = parse(text) as unknown as Partial<Configuration>;
    return { ...(profile !== undefined && { profile }), profiles };
  } catch (error) {
    // The following lines of the message show the position in the file.
    const [sentence] = getMessage(error).split("\n", 1);
    throw createUsageFailure(`${file} is not valid TOML: ${sentence}`);
  }
}

/** Writes the configuration file atomically, readable by its owner only. */
export async function writeConfiguration(terminal: Terminal, configuration: Configuration): Promise<void> {
  const file = getConfigurationFile(terminal);
  const draft = `${file}.${process.pid}`;
  mkdirSync(getUserFolder(terminal, "config"), { recursive: true, mode: 0o700 });
  writeFileSync(draft, stringify(configuration), { mode: 0o600 });
  renameSync(draft, file);
}

/** Returns the configuration with a changed profile; `undefined` removes a member. */
export function changeProfile(
  configuration: Configuration,
  name: string,
  members: { readonly [M in keyof Profile]?: Profile[M] | undefined },
): Configuration {
  const entries = Object.entries({ ...configuration.profiles[name], ...members });
  const profile = Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Profile;
  return { ...configuration, profiles: { ...configuration.profiles, [name]: profile } };
}

/** Stores a sign-in in a profile, which becomes current. */
export async function keepSignIn(
  terminal: Terminal,
  configuration: Configuration,
  name: string,
  url: string,
  { token, expires, username, issuer, client_id, resource, refresh_token }: SignedIn,
): Promise<void> {
  const members = { url, token, expires, username, issuer, client_id, resource, refresh_token };
  await writeConfiguration(terminal, { ...changeProfile(configuration, name, members), profile: name });
}
