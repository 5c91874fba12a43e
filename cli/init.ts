import { existsSync } from "node:fs";
import { type Actions, ApiProblem, createClient } from "../client/create-client.ts";
import { type Configuration, keepSignIn, readConfiguration, type SignedIn } from "./configuration.ts";
import { EXIT, type Failure, usage } from "./failure.ts";
import { createFetch } from "./fetching.ts";
import type { Common } from "./general-flags.ts";
import { withAdvice } from "./own-calls.ts";
import { type OwnFlags, ownFlags } from "./own-flags.ts";
import { readStdin, textOf } from "./payload.ts";
import { ask, askSecretly } from "./prompt.ts";
import { isElsewhere, secretGiven } from "./secrets.ts";
import { type Settings, settle } from "./settings.ts";
import type { Terminal } from "./terminal.ts";
import { INIT_FLAGS } from "./verb-flags.ts";

type Options = Actions["config"]["sign_in_options"]["output"];

/** `metaction init`: asks for a service, signs in there in the way that it tells, and keeps both in a profile. */
export async function init(place: Terminal, given: readonly string[]): Promise<number> {
  const flags = ownFlags("init", INIT_FLAGS, given);
  const { common, words } = flags;
  if (words[0] !== undefined) throw usage(`init takes no ${words[0]}; write the service as --url=${words[0]}`);
  if (common.curl) throw usage("init keeps a token, which no command does in its place");
  for (const flag of ["password", "secret"]) {
    const value = flags.text(flag);
    if (value !== undefined && !isElsewhere(value)) throw secretGiven(flag);
  }
  const configuration = await readConfiguration(place);
  const settings = await serviceOf(place, common, configuration);
  const { url } = settings;
  const { send } = createFetch(place, common);
  const api = createClient({ url: url.value, fetch: send });
  const options = await api.config.sign_in_options({}, { signal: place.signal });
  const signIn: SignIn = { place, flags, settings, api };
  const issuer = options.firstRun ? undefined : await issuerOf(signIn, options);
  const signedIn = options.firstRun
    ? await firstAdministrator(signIn)
    : issuer
      ? await (await import("./oidc-login.ts")).signInAtIssuer(place, { port: 8400, ...providerOf(issuer) })
      : await byPassword(signIn);
  const name = settings.profileName.value;
  await keepSignIn(place, configuration, name, url.value, signedIn);
  if (!common.quiet) {
    const who = options.firstRun ? `${signedIn.username}, the first administrator` : (signedIn.username ?? "you");
    place.stderr.writeLine(`Signed in to ${url.value} as ${who}, with the profile ${name}.`);
    place.stderr.writeLine("Go on with: metaction models");
  }
  return EXIT.done;
}

interface SignIn {
  readonly place: Terminal;
  readonly flags: OwnFlags;
  readonly settings: Settings;
  readonly api: ReturnType<typeof createClient>;
}

/** The settings with the service that was named or, on a terminal, asked for, and a profile that is free for it. */
async function serviceOf(place: Terminal, common: Common, configuration: Configuration): Promise<Settings> {
  const known = settle(common, place, configuration, { mayBeNew: true });
  const isNamed = common.url !== undefined || Boolean(place.environment.METACTION_URL);
  const typed = !isNamed && place.stdin.isTTY ? await ask(place, `Service [${known.url.value}]: `) : "";
  const settings =
    typed.trim() === "" ? known : settle({ ...common, url: typed.trim() }, place, configuration, { mayBeNew: true });
  const { profileName, profile, url } = settings;
  const isFree = profile.url === undefined || profile.url === url.value;
  const isAsked = profileName.from === "--profile" || profileName.from === "METACTION_PROFILE";
  if (isFree || isAsked) return settings;
  // The profile of another service is left alone.
  return settle({ ...common, url: url.value, profile: new URL(url.value).host }, place, configuration, {
    mayBeNew: true,
  });
}

/** The provider to sign in at; undefined where a name and a password do. */
async function issuerOf(
  { place, flags }: SignIn,
  { issuers }: Options,
): Promise<Options["issuers"][number] | undefined> {
  const named = flags.text("issuer");
  const found = issuers.find(({ issuer, label }) => issuer === named || label === named);
  if (named !== undefined && !found) {
    const known = issuers.map(({ issuer }) => issuer).join(", ") || "none";
    throw usage(`--issuer=${named} is no provider that the service names (${known}); see: metaction help login`);
  }
  const isSaid = named !== undefined || flags.text("username") !== undefined || flags.text("password") !== undefined;
  if (isSaid || issuers.length === 0 || !place.stdin.isTTY) return found;
  const ways = ["name and password", ...issuers.map(({ label }) => label)];
  for (const [i, way] of ways.entries()) place.stderr.writeLine(`  ${i + 1}  ${way}`);
  const typed = (await ask(place, "Sign in by [1]: ")).trim() || "1";
  const chosen = Number(typed);
  if (ways[chosen - 1] === undefined) throw usage(`${typed} is none of 1 to ${ways.length}`);
  return issuers[chosen - 2];
}

function providerOf({ issuer, clientId, scopes, resource }: Options["issuers"][number]) {
  return { issuer, clientId, resource, ...(scopes.length > 0 && { scope: scopes.join(" ") }) };
}

async function byPassword(signIn: SignIn): Promise<SignedIn> {
  const { place, flags, settings, api } = signIn;
  const username = await usernameOf(signIn, settings.profile.username);
  const password = await passwordOf(place, flags, `Password of ${username}: `);
  return kept(place, username, await api.auth.login({ username, password }, { signal: place.signal }));
}

async function firstAdministrator(signIn: SignIn): Promise<SignedIn> {
  const { place, flags, settings, api } = signIn;
  const found = await bootstrapSecret(place, flags, settings.url.value);
  if (!flags.common.quiet)
    place.stderr.writeLine(`${settings.url.value} has no administrator yet; you become the first.`);
  const username = await usernameOf(signIn, "admin");
  const password = await newPassword(place, flags, username);
  const account = { username, password, fullname: flags.text("fullname") ?? username, secret: found.secret };
  try {
    return kept(place, username, await api.auth.admin_bootstrap(account, { signal: place.signal }));
  } catch (error) {
    const isForeign = error instanceof ApiProblem && error.code === "not_signed_in" && found.file !== undefined;
    throw isForeign ? withAdvice(error, `${found.file} is of another service; give --secret=@file`) : error;
  }
}

function kept(place: Terminal, username: string, token: Actions["auth"]["login"]["output"]): SignedIn {
  return { token: token.access_token, expires: place.now() + token.expires_in * 1000, username };
}

async function usernameOf({ place, flags }: SignIn, known: string | undefined): Promise<string> {
  const given = flags.text("username");
  if (given !== undefined) return given;
  if (!place.stdin.isTTY) throw usage("--username is needed where nobody can be asked");
  const typed = (await ask(place, `Username${known === undefined ? "" : ` [${known}]`}: `)).trim();
  return typed || known || usernameMissing();
}

function usernameMissing(): never {
  throw usage("a username is needed");
}

/** A password for the first time, which is asked for twice, since nobody sees what is typed. */
async function newPassword(place: Terminal, flags: OwnFlags, username: string): Promise<string> {
  const password = await passwordOf(place, flags, `New password of ${username}: `);
  if (flags.text("password") !== undefined || !place.stdin.isTTY) return password;
  if ((await askSecretly(place, "The same again: ")) === password) return password;
  throw usage("the two passwords are not the same");
}

async function passwordOf(place: Terminal, flags: OwnFlags, question: string): Promise<string> {
  const given = flags.text("password");
  const isAsked = place.stdin.isTTY && (given === undefined || given === "-");
  const text = isAsked
    ? await askSecretly(place, question)
    : given === undefined
      ? await readStdin(place)
      : await textOf(given, "--password", place);
  const password = text.replace(/\r?\n$/, "");
  if (password === "") throw usage("the password is empty; give --password=@file, or pipe it in");
  return password;
}

interface Found {
  readonly secret: string;
  /** The file it was found in by itself. */
  readonly file?: string;
}

/** The secret that is given, that lies beside a service on this machine or, on a terminal, is asked for. */
async function bootstrapSecret(place: Terminal, flags: OwnFlags, url: string): Promise<Found> {
  const given = flags.text("secret");
  const file = `${place.environment.METACTION_DATA_DIR || ".metaction"}/bootstrap-secret`;
  // To no other machine: a secret is sent only where its owner said so.
  if (given === undefined && isLoopback(url) && existsSync(file)) {
    return { secret: (await textOf(`@${file}`, "--secret", place)).trim(), file };
  }
  if (given === undefined && !place.stdin.isTTY) throw secretMissing(url);
  const isAsked = place.stdin.isTTY && (given === undefined || given === "-");
  const secret = isAsked
    ? await askSecretly(place, "Bootstrap secret: ")
    : await textOf(given ?? "-", "--secret", place);
  return { secret: secret.trim() };
}

function secretMissing(url: string): Failure {
  return usage(
    `${url} has no administrator yet; to become the first give the bootstrap secret: --secret=@.metaction/bootstrap-secret`,
  );
}

function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}
