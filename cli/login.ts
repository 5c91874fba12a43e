import { keepSignIn, readConfiguration, type SignedIn, withProfile, writeConfiguration } from "./configuration.ts";
import { EXIT, Failure, usage } from "./failure.ts";
import { createFetch } from "./fetching.ts";
import { formsWith, readArguments } from "./flags.ts";
import { type OwnFlags, ownFlags } from "./own-flags.ts";
import { readStdin, textOf } from "./payload.ts";
import { ask, askSecretly } from "./prompt.ts";
import { isElsewhere, secretGiven } from "./secrets.ts";
import { settle } from "./settings.ts";
import type { Terminal } from "./terminal.ts";
import { LOGIN_FLAGS } from "./verb-flags.ts";

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
    if (common.token !== undefined) return { token: (await textOf(common.token, "--token", place)).trim() };
    if (own.on("with-token")) return { token: (await readStdin(place)).trim() };
    if (own.text("issuer") !== undefined)
      return (await import("./oidc-login.ts")).signInAtIssuer(place, await oidcOf(own, place));
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

async function oidcOf(own: OwnFlags, place: Terminal) {
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
    clientSecret: secret === undefined ? undefined : (await textOf(secret, "--client-secret", place)).trim(),
  };
}

async function signInWithPassword(
  place: Terminal,
  url: string,
  known: string | undefined,
  send: typeof fetch,
): Promise<SignedIn> {
  const { createClient } = await import("../client/create-client.ts");
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
