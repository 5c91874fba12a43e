import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { parse, stringify } from "smol-toml";
import { usage } from "../terminal/failure.ts";
import { type Terminal, userFolder } from "../terminal/terminal.ts";

/** A profile: the settings of one service and the way to sign in there. */
export interface Profile {
  readonly url?: string;
  readonly token?: string;
  /** Milliseconds since 1970 at which the token ends. */
  readonly expires?: number;
  readonly username?: string;
  readonly output?: string;
  /** OIDC issuer and client, to sign in there again. */
  readonly issuer?: string;
  readonly client_id?: string;
  readonly resource?: string;
  readonly refresh_token?: string;
}

/** The members that a sign-in puts into the profile. */
export type SignedIn = Pick<Profile, "username" | "issuer" | "client_id" | "resource" | "refresh_token"> & {
  readonly token: string;
  readonly expires?: number;
};

export interface Configuration {
  /** The profile to use when none is named. */
  readonly profile?: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

export function configurationFile(place: Terminal): string {
  return `${userFolder(place, "config")}/config.toml`;
}

/** Reads the configuration; one that is not there is empty. */
export async function readConfiguration(place: Terminal): Promise<Configuration> {
  const file = configurationFile(place);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return { profiles: {} };
    throw usage(`${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
  const { mode } = statSync(file);
  if (process.platform !== "win32" && (mode & 0o077) !== 0) {
    place.stderr.writeLine(`${file} holds credentials and can be read by others; it is made private.`);
    chmodSync(file, 0o600);
  }
  try {
    // Members are checked where they are used: all of them are texts.
    const { profile, profiles = {} } = parse(text) as unknown as Partial<Configuration>;
    return { ...(profile !== undefined && { profile }), profiles };
  } catch (error) {
    // Below its first line the message shows the place in the file.
    const [sentence] = (error instanceof Error ? error.message : String(error)).split("\n", 1);
    throw usage(`${file} is not valid TOML: ${sentence}`);
  }
}

/** Writes the configuration, for its owner's eyes only, as a whole or not at all. */
export async function writeConfiguration(place: Terminal, configuration: Configuration): Promise<void> {
  const file = configurationFile(place);
  const draft = `${file}.${process.pid}`;
  mkdirSync(userFolder(place, "config"), { recursive: true, mode: 0o700 });
  writeFileSync(draft, stringify(configuration), { mode: 0o600 });
  renameSync(draft, file);
}

/** The configuration with a profile changed; `undefined` takes a member out. */
export function withProfile(
  configuration: Configuration,
  name: string,
  members: { readonly [M in keyof Profile]?: Profile[M] | undefined },
): Configuration {
  const merged = Object.entries({ ...configuration.profiles[name], ...members });
  const profile = Object.fromEntries(merged.filter(([, value]) => value !== undefined)) as Profile;
  return { ...configuration, profiles: { ...configuration.profiles, [name]: profile } };
}

/** Keeps a sign-in in a profile, which becomes the current one. */
export async function keepSignIn(
  place: Terminal,
  configuration: Configuration,
  name: string,
  url: string,
  { token, expires, username, issuer, client_id, resource, refresh_token }: SignedIn,
): Promise<void> {
  const members = { url, token, expires, username, issuer, client_id, resource, refresh_token };
  await writeConfiguration(place, { ...withProfile(configuration, name, members), profile: name });
}
