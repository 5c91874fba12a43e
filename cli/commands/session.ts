import { existsSync } from "node:fs";
import { type Actions, ApiProblem, createClient } from "../../client/create-client.ts";
import { createFetch } from "../calls/fetching.ts";
import { signInAtIssuer } from "../calls/oidc-login.ts";
import { addAdvice } from "../calls/own-calls.ts";
import { type OwnFlags, readOwnFlags } from "../calls/own-flags.ts";
import { readFlagText, readStdin } from "../calls/payload.ts";
import { createSecretFailure, isElsewhere } from "../calls/secrets.ts";
import { COMMANDS } from "../input/commands.ts";
import {
  type Configuration,
  changeProfile,
  getConfigurationFile,
  keepSignIn,
  readConfiguration,
  type SignedIn,
  writeConfiguration,
} from "../input/configuration.ts";
import { type Common, listForms, readArguments } from "../input/flags.ts";
import { resolveSettings, type Settings, suggestProfile } from "../input/settings.ts";
import { chooseFormat, print } from "../output/output.ts";
import { applyQuery } from "../output/query.ts";
import { createUsageFailure, EXIT, Failure } from "../terminal/failure.ts";
import { ask, askSecretly, type Terminal } from "../terminal/terminal.ts";

/** Runs `metaction login`: stores the token in a profile, which becomes current. */
export async function login(terminal: Terminal, args: readonly string[]): Promise<number> {
  refusePassword(args);
  const own = readOwnFlags("login", args);
  const { common } = own;
  if (common.curl)
    throw createUsageFailure("login stores a token and cannot be shown as a call; see: metaction help auth login");
  const configuration = await readConfiguration(terminal);
  const { url, profileName, profile } = resolveSettings(common, terminal, configuration, { mayBeNew: true });
  const signIn = async (): Promise<SignedIn> => {
    if (common.token !== undefined) return { token: (await readFlagText(common.token, "--token", terminal)).trim() };
    if (own.on("with-token")) return { token: (await readStdin(terminal)).trim() };
    if (own.text("issuer") !== undefined) return signInAtIssuer(terminal, await readOidcOptions(own, terminal));
    const { send } = createFetch(terminal, common);
    warnOfPlainHttp(terminal, common, url.value);
    return signInWithPassword(terminal, url.value, own.text("username") ?? profile.username, send);
  };
  const session = await signIn();
  if (session.token === "") throw createUsageFailure("The token is empty.");
  const name = profileName.value;
  await keepSignIn(terminal, configuration, name, url.value, session);
  const expiry = session.expires === undefined ? "" : ` until ${new Date(session.expires).toISOString()}`;
  if (!common.quiet) terminal.stderr.writeLine(`Signed in to ${url.value} with the profile ${name}${expiry}.`);
  return EXIT.done;
}

/** Warns before a password is sent over http to another machine. */
function warnOfPlainHttp(terminal: Terminal, common: Common, url: string) {
  if (common.quiet || new URL(url).protocol === "https:" || isLoopback(url)) return;
  terminal.stderr.writeLine(
    `Warning: ${url} is not encrypted, so others on the network can read the password. Use https.`,
  );
}

/** Refuses `--password`. It is read with its value, so that no message repeats the value. */
function refusePassword(args: readonly string[]) {
  const forms = listForms({ ...COMMANDS.login.flags, password: { form: "text" } });
  if (!readArguments(args, forms).flags.some(({ name }) => name === "password")) return;
  throw createUsageFailure(
    "login takes no --password, because other users of this machine can see arguments, which also stay in the shell's history; " +
      "it asks for the password on a terminal, and otherwise reads it from stdin: " +
      'printf %s "$METACTION_PASSWORD" | metaction login --username=...',
  );
}

async function readOidcOptions(own: OwnFlags, terminal: Terminal) {
  const [issuer, clientId, secret] = [own.text("issuer"), own.text("client-id"), own.text("client-secret")];
  if (secret !== undefined && !isElsewhere(secret)) throw createSecretFailure("client-secret");
  if (issuer === undefined || clientId === undefined) throw createUsageFailure("--issuer also needs --client-id");
  return {
    issuer,
    clientId,
    port: readPort(own),
    scope: own.text("scope"),
    resource: own.text("resource"),
    clientSecret: secret === undefined ? undefined : (await readFlagText(secret, "--client-secret", terminal)).trim(),
  };
}

function readPort(flags: OwnFlags) {
  const port = Number(flags.text("port") ?? 8400);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw createUsageFailure(`--port=${flags.text("port")} is not a valid port`);
}

async function signInWithPassword(
  terminal: Terminal,
  url: string,
  name: string | undefined,
  send: typeof fetch,
): Promise<SignedIn> {
  const onTerminal = terminal.stdin.isTTY === true;
  if (!onTerminal && name === undefined) throw createUsageFailure("--username is required without a terminal");
  const username = name ?? (await ask(terminal, "Username: "));
  const input = onTerminal ? await askSecretly(terminal, `Password of ${username}: `) : await readStdin(terminal);
  const password = input.replace(/\r?\n$/, "");
  if (password === "") throw createUsageFailure("stdin contained no password");
  const api = createClient({ url, fetch: send });
  return toSignedIn(terminal, username, await api.auth.login({ username, password }, { signal: terminal.signal }));
}

/** Runs `metaction logout`: ends the session, and removes the tokens of a profile. */
export async function logout(terminal: Terminal, args: readonly string[]): Promise<number> {
  const { common } = readOwnFlags("logout", args);
  const configuration = await readConfiguration(terminal);
  const { url, profileName, profile } = resolveSettings(common, terminal, configuration);
  const { token, expires } = profile;
  if (token === undefined) throw new Failure(`profile ${profileName.value} is not signed in`, EXIT.notSignedIn);
  // A token that was given has no expiry here, and may be in use elsewhere.
  const isOwn = expires !== undefined && expires > terminal.now();
  const fault = isOwn ? await endSession(terminal, common, url.value, token) : undefined;
  const members = { token: undefined, expires: undefined, refresh_token: undefined };
  await writeConfiguration(terminal, changeProfile(configuration, profileName.value, members));
  if (!common.quiet) terminal.stderr.writeLine(`Signed out of profile ${profileName.value}.`);
  if (fault !== undefined) terminal.stderr.writeLine(`The token stays valid until it expires: ${fault}`);
  return EXIT.done;
}

/** Ends the session of a token at the service. Returns the reason if it could not. */
async function endSession(terminal: Terminal, common: Common, url: string, token: string): Promise<string | undefined> {
  const { send } = createFetch(terminal, common);
  try {
    await createClient({ url, token, fetch: send }).auth.logout({}, { signal: terminal.signal });
    return undefined;
  } catch (error) {
    // An invalid token has ended already.
    if (error instanceof ApiProblem && error.code === "not_signed_in") return undefined;
    if (error instanceof ApiProblem || error instanceof Failure) return error.message;
    throw error;
  }
}

/** Runs `metaction use <profile>`: makes the profile current; without an argument it lists the profiles. */
export async function useProfile(terminal: Terminal, args: readonly string[]): Promise<number> {
  const { common, words } = readOwnFlags("use", args);
  const [name] = words;
  const configuration = await readConfiguration(terminal);
  const { profiles } = configuration;
  if (name === undefined) {
    const { profileName, output } = resolveSettings(common, terminal, configuration, { mayBeNew: true });
    const rows = Object.entries(profiles).map(([profile, { url, username, token, expires }]) => ({
      profile,
      current: profile === profileName.value,
      url,
      username,
      signedIn: token !== undefined && (expires === undefined || expires > terminal.now()),
    }));
    await print(await applyQuery(rows, common), chooseFormat(output, terminal), common, terminal);
    return EXIT.done;
  }
  if (!Object.hasOwn(profiles, name)) {
    throw createUsageFailure(`Unknown profile ${name}${suggestProfile(name, configuration)}`);
  }
  await writeConfiguration(terminal, { ...configuration, profile: name });
  const { METACTION_PROFILE: above } = terminal.environment;
  if (!common.quiet) {
    const note = above && above !== name ? `, but METACTION_PROFILE=${above} overrides it` : "";
    terminal.stderr.writeLine(`The current profile is ${name}${note}.`);
  }
  return EXIT.done;
}

/** Runs `metaction config`: lists each setting with its value and source. Tokens are hidden. */
export async function showConfig(terminal: Terminal, args: readonly string[]): Promise<number> {
  const { common } = readOwnFlags("config", args);
  const configuration = await readConfiguration(terminal);
  const { profileName, url, token, output, profile } = resolveSettings(common, terminal, configuration);
  const expires = token?.from.startsWith("profile ") ? profile.expires : undefined;
  const ends = expires === undefined ? "" : `, until ${new Date(expires).toISOString()}`;
  const rows = [
    { name: "file", value: getConfigurationFile(terminal), from: "" },
    { name: "profile", value: profileName.value, from: profileName.from },
    { name: "profiles", value: Object.keys(configuration.profiles).join(", "), from: "configuration file" },
    { name: "url", value: url.value, from: url.from },
    { name: "token", value: token ? `kept secret${ends}` : "", from: token?.from ?? "none" },
    { name: "output", value: output?.value ?? "by the terminal", from: output?.from ?? "default" },
  ];
  await print(await applyQuery(rows, common), chooseFormat(output, terminal), common, terminal);
  return EXIT.done;
}

type Options = Actions["config"]["sign_in_options"]["output"];

/** Runs `metaction init`: asks for a service, signs in as the service offers, and stores both in a profile. */
export async function init(terminal: Terminal, args: readonly string[]): Promise<number> {
  const flags = readOwnFlags("init", args);
  const { common, words } = flags;
  if (words[0] !== undefined)
    throw createUsageFailure(`init takes no argument ${words[0]}; write the service as --url=${words[0]}`);
  if (common.curl) throw createUsageFailure("init stores a token and cannot be shown as a call");
  for (const flag of ["password", "secret"]) {
    const value = flags.text(flag);
    if (value !== undefined && !isElsewhere(value)) throw createSecretFailure(flag);
  }
  const configuration = await readConfiguration(terminal);
  const settings = await askService(terminal, common, configuration);
  const { url } = settings;
  const { send } = createFetch(terminal, common);
  const api = createClient({ url: url.value, fetch: send });
  const options = await api.config.sign_in_options({}, { signal: terminal.signal });
  const signIn: SignIn = { terminal, flags, settings, api };
  const issuer = options.firstRun ? undefined : await chooseIssuer(signIn, options);
  if (!issuer) warnOfPlainHttp(terminal, common, url.value);
  const account = options.firstRun
    ? await createFirstAdministrator(signIn)
    : issuer
      ? await signInAtIssuer(terminal, { port: readPort(flags), ...toProvider(issuer) })
      : await signInByPassword(signIn);
  const name = settings.profileName.value;
  await keepSignIn(terminal, configuration, name, url.value, account);
  if (!common.quiet) {
    const user = options.firstRun ? `${account.username}, the first administrator` : (account.username ?? "you");
    terminal.stderr.writeLine(`Signed in to ${url.value} as ${user}, with profile ${name}.`);
    terminal.stderr.writeLine("Continue with: metaction models");
  }
  return EXIT.done;
}

interface SignIn {
  readonly terminal: Terminal;
  readonly flags: OwnFlags;
  readonly settings: Settings;
  readonly api: ReturnType<typeof createClient>;
}

async function askService(terminal: Terminal, common: Common, configuration: Configuration): Promise<Settings> {
  const resolveNew = (flags: Common): Settings => resolveSettings(flags, terminal, configuration, { mayBeNew: true });
  const defaults = resolveNew(common);
  const isNamed = common.url !== undefined || Boolean(terminal.environment.METACTION_URL);
  const input = !isNamed && terminal.stdin.isTTY ? await ask(terminal, `Service [${defaults.url.value}]: `) : "";
  const settings = input.trim() === "" ? defaults : resolveNew({ ...common, url: input.trim() });
  const { profileName, profile, url } = settings;
  const isFree = profile.url === undefined || profile.url === url.value;
  const isAsked = profileName.from === "--profile" || profileName.from === "METACTION_PROFILE";
  if (isFree || isAsked) return settings;
  // Never overwrite the profile of another service.
  return resolveNew({ ...common, url: url.value, profile: new URL(url.value).host });
}

async function chooseIssuer(
  { terminal, flags }: SignIn,
  { issuers }: Options,
): Promise<Options["issuers"][number] | undefined> {
  const name = flags.text("issuer");
  const match = issuers.find(({ issuer, label }) => issuer === name || label === name);
  if (name !== undefined && !match) {
    const names = issuers.map(({ issuer }) => issuer).join(", ") || "none";
    throw createUsageFailure(
      `--issuer=${name} is not a provider of this service (${names}); see: metaction help login`,
    );
  }
  const isSaid = name !== undefined || flags.text("username") !== undefined || flags.text("password") !== undefined;
  if (isSaid || issuers.length === 0 || !terminal.stdin.isTTY) return match;
  const flows = ["name and password", ...issuers.map(({ label }) => label)];
  for (const [i, flow] of flows.entries()) terminal.stderr.writeLine(`  ${i + 1}  ${flow}`);
  const answer = (await ask(terminal, "Sign in with [1]: ")).trim() || "1";
  const number = Number(answer);
  if (flows[number - 1] === undefined) throw createUsageFailure(`${answer} is not a number from 1 to ${flows.length}`);
  return issuers[number - 2];
}

function toProvider({ issuer, clientId, scopes, resource }: Options["issuers"][number]) {
  return { issuer, clientId, resource, ...(scopes.length > 0 && { scope: scopes.join(" ") }) };
}

async function signInByPassword(signIn: SignIn): Promise<SignedIn> {
  const { terminal, flags, settings, api } = signIn;
  const username = await askUsername(signIn, settings.profile.username);
  const password = await askPassword(terminal, flags, `Password of ${username}: `);
  return toSignedIn(terminal, username, await api.auth.login({ username, password }, { signal: terminal.signal }));
}

async function createFirstAdministrator(signIn: SignIn): Promise<SignedIn> {
  const { terminal, flags, settings, api } = signIn;
  const bootstrap = await findBootstrapSecret(terminal, flags, settings.url.value);
  if (!flags.common.quiet)
    terminal.stderr.writeLine(`${settings.url.value} has no administrator yet; you become the first.`);
  const username = await askUsername(signIn, "admin");
  const password = await askNewPassword(terminal, flags, username);
  const account = { username, password, fullname: flags.text("fullname") ?? username, secret: bootstrap.secret };
  try {
    return toSignedIn(terminal, username, await api.auth.admin_bootstrap(account, { signal: terminal.signal }));
  } catch (error) {
    const isForeign = error instanceof ApiProblem && error.code === "not_signed_in" && bootstrap.file !== undefined;
    throw isForeign ? addAdvice(error, `${bootstrap.file} belongs to another service; give --secret=@file`) : error;
  }
}

function toSignedIn(terminal: Terminal, username: string, token: Actions["auth"]["login"]["output"]): SignedIn {
  return { token: token.access_token, expires: terminal.now() + token.expires_in * 1000, username };
}

async function askUsername({ terminal, flags }: SignIn, fallback: string | undefined): Promise<string> {
  const username = flags.text("username");
  if (username !== undefined) return username;
  if (!terminal.stdin.isTTY) throw createUsageFailure("--username is required without a terminal");
  const input = (await ask(terminal, `Username${fallback === undefined ? "" : ` [${fallback}]`}: `)).trim();
  if (!input && !fallback) throw createUsageFailure("A username is required.");
  return input || (fallback ?? "");
}

/** Asks for a new password twice, because it is not shown while typed. */
async function askNewPassword(terminal: Terminal, flags: OwnFlags, username: string): Promise<string> {
  const password = await askPassword(terminal, flags, `New password of ${username}: `);
  if (flags.text("password") !== undefined || !terminal.stdin.isTTY) return password;
  if ((await askSecretly(terminal, "Repeat it: ")) === password) return password;
  throw createUsageFailure("The two passwords differ.");
}

async function askPassword(terminal: Terminal, flags: OwnFlags, question: string): Promise<string> {
  const password = (await readSecret(terminal, flags, "password", question)).replace(/\r?\n$/, "");
  if (password === "") throw createUsageFailure("The password is empty; give --password=@file, or pipe it in.");
  return password;
}

async function readSecret(terminal: Terminal, flags: OwnFlags, flag: string, question: string): Promise<string> {
  const value = flags.text(flag) ?? "-";
  if (value === "-" && terminal.stdin.isTTY) return askSecretly(terminal, question);
  return readFlagText(value, `--${flag}`, terminal);
}

interface Bootstrap {
  readonly secret: string;
  readonly file?: string;
}

async function findBootstrapSecret(terminal: Terminal, flags: OwnFlags, url: string): Promise<Bootstrap> {
  const secret = flags.text("secret");
  const file = `${terminal.environment.METACTION_DATA_DIR || ".metaction"}/bootstrap-secret`;
  // Only for a local service: a secret is sent to another machine only on request.
  if (secret === undefined && isLoopback(url) && existsSync(file)) {
    return { secret: (await readFlagText(`@${file}`, "--secret", terminal)).trim(), file };
  }
  if (secret === undefined && !terminal.stdin.isTTY) {
    throw createUsageFailure(
      `${url} has no administrator yet; to become the first give the bootstrap secret: --secret=@.metaction/bootstrap-secret`,
    );
  }
  return { secret: (await readSecret(terminal, flags, "secret", "Bootstrap secret: ")).trim() };
}

function isLoopback(url: string) {
  const { hostname } = new URL(url);
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}
