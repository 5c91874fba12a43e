import { existsSync } from "node:fs";
import { type Actions, ApiProblem, createClient } from "../../client/create-client.ts";
import { createFetch } from "../calls/fetching.ts";
import { withAdvice } from "../calls/own-calls.ts";
import { type OwnFlags, ownFlags } from "../calls/own-flags.ts";
import { readStdin, readFlagText } from "../calls/payload.ts";
import { isElsewhere, secretGiven } from "../calls/secrets.ts";
import {
  type Configuration,
  configurationFile,
  keepSignIn,
  readConfiguration,
  type SignedIn,
  withProfile,
  writeConfiguration,
} from "../input/configuration.ts";
import { type Common, formsWith, INIT_FLAGS, LOGIN_FLAGS, readArguments } from "../input/flags.ts";
import { profileMeant, type Settings, settle } from "../input/settings.ts";
import { chooseFormat, print, applyQuery } from "../output/output.ts";
import { EXIT, Failure, usage } from "../terminal/failure.ts";
import { ask, askSecretly, type Terminal } from "../terminal/terminal.ts";

/** `metaction login`: signs in and keeps the token in a profile, which becomes the current one. */
export async function login(place: Terminal, given: readonly string[]): Promise<number> {
  if (hasPassword(given)) throw passwordGiven();
  const own = ownFlags("login", LOGIN_FLAGS, given);
  const { common, words } = own;
  if (common.curl)
    throw usage("login keeps a token, which no command does in its place; see: metaction help auth login");
  if (words[0] !== undefined) throw usage(`login knows no ${words[0]}; see: metaction help login`);
  const configuration = await readConfiguration(place);
  const { url, profileName, profile } = settle(common, place, configuration, { mayBeNew: true });
  const signIn = async (): Promise<SignedIn> => {
    if (common.token !== undefined) return { token: (await readFlagText(common.token, "--token", place)).trim() };
    if (own.on("with-token")) return { token: (await readStdin(place)).trim() };
    if (own.text("issuer") !== undefined)
      return (await import("../calls/oidc-login.ts")).signInAtIssuer(place, await readOidcOptions(own, place));
    const { send } = createFetch(place, common);
    return signInWithPassword(place, url.value, own.text("username") ?? profile.username, send);
  };
  const made = await signIn();
  if (made.token === "") throw usage("that is no token: it is empty");
  const name = profileName.value;
  await keepSignIn(place, configuration, name, url.value, made);
  const until = made.expires === undefined ? "" : ` until ${new Date(made.expires).toISOString()}`;
  if (!common.quiet) place.stderr.writeLine(`Signed in to ${url.value} with the profile ${name}${until}.`);
  return EXIT.done;
}

/** Whether `--password` is among the arguments; read as a flag with a value, so that no sentence repeats the value. */
function hasPassword(given: readonly string[]): boolean {
  const forms = formsWith({ ...LOGIN_FLAGS, password: { form: "text", tells: "" } });
  return readArguments(given, forms).flags.some(({ name }) => name === "password");
}

function passwordGiven(): Failure {
  return usage(
    'login takes no --password, since arguments are seen by others on this machine and kept in the shell\'s history; it asks for the password on a terminal, and otherwise reads it from stdin: printf %s "$METACTION_PASSWORD" | metaction login --username=...',
  );
}

async function readOidcOptions(own: OwnFlags, place: Terminal) {
  const [issuer, clientId, secret] = [own.text("issuer"), own.text("client-id"), own.text("client-secret")];
  if (secret !== undefined && !isElsewhere(secret)) throw secretGiven("client-secret");
  if (issuer === undefined || clientId === undefined) throw usage("--issuer needs --client-id too");
  const port = Number(own.text("port") ?? 8400);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw usage(`--port=${own.text("port")} is no port`);
  return {
    issuer,
    clientId,
    port,
    scope: own.text("scope"),
    resource: own.text("resource"),
    clientSecret: secret === undefined ? undefined : (await readFlagText(secret, "--client-secret", place)).trim(),
  };
}

async function signInWithPassword(
  place: Terminal,
  url: string,
  known: string | undefined,
  send: typeof fetch,
): Promise<SignedIn> {
  const { createClient } = await import("../../client/create-client.ts");
  const onTerminal = place.stdin.isTTY === true;
  if (!onTerminal && known === undefined) throw usage("--username is needed where nobody can be asked");
  const username = known ?? (await ask(place, "Username: "));
  const typed = onTerminal ? await askSecretly(place, `Password of ${username}: `) : await readStdin(place);
  const password = typed.replace(/\r?\n$/, "");
  if (password === "") throw usage("stdin held no password");
  const api = createClient({ url, fetch: send });
  const { access_token, expires_in } = await api.auth.login({ username, password }, { signal: place.signal });
  return { token: access_token, expires: place.now() + expires_in * 1000, username };
}

/** `metaction logout`: forgets the tokens of a profile. */
export async function logout(place: Terminal, given: readonly string[]): Promise<number> {
  const { common, words } = ownFlags("logout", {}, given);
  if (words[0] !== undefined) throw usage(`logout knows no ${words[0]}; see: metaction help logout`);
  const configuration = await readConfiguration(place);
  const { profileName, profile } = settle(common, place, configuration);
  if (profile.token === undefined) {
    throw new Failure(`the profile ${profileName.value} is not signed in`, EXIT.notSignedIn);
  }
  const members = { token: undefined, expires: undefined, refresh_token: undefined };
  await writeConfiguration(place, withProfile(configuration, profileName.value, members));
  if (!common.quiet) place.stderr.writeLine(`Signed out of the profile ${profileName.value}.`);
  return EXIT.done;
}

/** `metaction use <profile>`: makes it the current one; alone it lists the profiles. */
export async function useProfile(place: Terminal, given: readonly string[]): Promise<number> {
  const { common, words } = ownFlags("use", {}, given);
  const [name, ...more] = words;
  if (more.length > 0) throw usage(`use takes one profile; ${more[0]} is one more`);
  const configuration = await readConfiguration(place);
  const { profiles } = configuration;
  if (name === undefined) {
    const { profileName, output } = settle(common, place, configuration, { mayBeNew: true });
    const rows = Object.entries(profiles).map(([profile, { url, username, token, expires }]) => ({
      profile,
      current: profile === profileName.value,
      url,
      username,
      signedIn: token !== undefined && (expires === undefined || expires > place.now()),
    }));
    await print(await applyQuery(rows, common), chooseFormat(output, place), common, place);
    return EXIT.done;
  }
  if (!Object.hasOwn(profiles, name)) {
    throw usage(`there is no profile ${name}${profileMeant(name, configuration)}`);
  }
  await writeConfiguration(place, { ...configuration, profile: name });
  const { METACTION_PROFILE: above } = place.environment;
  if (!common.quiet) {
    const note = above && above !== name ? `, but METACTION_PROFILE=${above} goes before it` : "";
    place.stderr.writeLine(`The profile is now ${name}${note}.`);
  }
  return EXIT.done;
}

/** `metaction config`: each setting, its value and where it comes from. Tokens are not shown. */
export async function showConfig(place: Terminal, given: readonly string[]): Promise<number> {
  const { common, words } = ownFlags("config", {}, given);
  if (words[0] !== undefined) throw usage(`config knows no ${words[0]}; see: metaction help config`);
  const configuration = await readConfiguration(place);
  const { profileName, url, token, output, profile } = settle(common, place, configuration);
  const expires = token?.from.startsWith("profile ") ? profile.expires : undefined;
  const ends = expires === undefined ? "" : `, until ${new Date(expires).toISOString()}`;
  const rows = [
    { name: "file", value: configurationFile(place), from: "" },
    { name: "profile", value: profileName.value, from: profileName.from },
    { name: "profiles", value: Object.keys(configuration.profiles).join(", "), from: "configuration file" },
    { name: "url", value: url.value, from: url.from },
    { name: "token", value: token ? `kept secret${ends}` : "", from: token?.from ?? "none" },
    { name: "output", value: output?.value ?? "by the terminal", from: output?.from ?? "default" },
  ];
  await print(await applyQuery(rows, common), chooseFormat(output, place), common, place);
  return EXIT.done;
}

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
  const settings = await askService(place, common, configuration);
  const { url } = settings;
  const { send } = createFetch(place, common);
  const api = createClient({ url: url.value, fetch: send });
  const options = await api.config.sign_in_options({}, { signal: place.signal });
  const signIn: SignIn = { place, flags, settings, api };
  const issuer = options.firstRun ? undefined : await chooseIssuer(signIn, options);
  const signedIn = options.firstRun
    ? await firstAdministrator(signIn)
    : issuer
      ? await (await import("../calls/oidc-login.ts")).signInAtIssuer(place, { port: 8400, ...toProvider(issuer) })
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
async function askService(place: Terminal, common: Common, configuration: Configuration): Promise<Settings> {
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
async function chooseIssuer(
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

function toProvider({ issuer, clientId, scopes, resource }: Options["issuers"][number]) {
  return { issuer, clientId, resource, ...(scopes.length > 0 && { scope: scopes.join(" ") }) };
}

async function byPassword(signIn: SignIn): Promise<SignedIn> {
  const { place, flags, settings, api } = signIn;
  const username = await askUsername(signIn, settings.profile.username);
  const password = await askPassword(place, flags, `Password of ${username}: `);
  return keepToken(place, username, await api.auth.login({ username, password }, { signal: place.signal }));
}

async function firstAdministrator(signIn: SignIn): Promise<SignedIn> {
  const { place, flags, settings, api } = signIn;
  const found = await bootstrapSecret(place, flags, settings.url.value);
  if (!flags.common.quiet)
    place.stderr.writeLine(`${settings.url.value} has no administrator yet; you become the first.`);
  const username = await askUsername(signIn, "admin");
  const password = await newPassword(place, flags, username);
  const account = { username, password, fullname: flags.text("fullname") ?? username, secret: found.secret };
  try {
    return keepToken(place, username, await api.auth.admin_bootstrap(account, { signal: place.signal }));
  } catch (error) {
    const isForeign = error instanceof ApiProblem && error.code === "not_signed_in" && found.file !== undefined;
    throw isForeign ? withAdvice(error, `${found.file} is of another service; give --secret=@file`) : error;
  }
}

function keepToken(place: Terminal, username: string, token: Actions["auth"]["login"]["output"]): SignedIn {
  return { token: token.access_token, expires: place.now() + token.expires_in * 1000, username };
}

async function askUsername({ place, flags }: SignIn, known: string | undefined): Promise<string> {
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
  const password = await askPassword(place, flags, `New password of ${username}: `);
  if (flags.text("password") !== undefined || !place.stdin.isTTY) return password;
  if ((await askSecretly(place, "The same again: ")) === password) return password;
  throw usage("the two passwords are not the same");
}

async function askPassword(place: Terminal, flags: OwnFlags, question: string): Promise<string> {
  const given = flags.text("password");
  const isAsked = place.stdin.isTTY && (given === undefined || given === "-");
  const text = isAsked
    ? await askSecretly(place, question)
    : given === undefined
      ? await readStdin(place)
      : await readFlagText(given, "--password", place);
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
    return { secret: (await readFlagText(`@${file}`, "--secret", place)).trim(), file };
  }
  if (given === undefined && !place.stdin.isTTY) throw secretMissing(url);
  const isAsked = place.stdin.isTTY && (given === undefined || given === "-");
  const secret = isAsked
    ? await askSecretly(place, "Bootstrap secret: ")
    : await readFlagText(given ?? "-", "--secret", place);
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
