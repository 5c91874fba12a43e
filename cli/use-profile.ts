import { readConfiguration, writeConfiguration } from "./configuration.ts";
import { EXIT, usage } from "./failure.ts";
import { formatOf, print, queried } from "./output.ts";
import { ownFlags } from "./own-flags.ts";
import { profileMeant, settle } from "./settings.ts";
import type { Terminal } from "./terminal.ts";

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
    await print(await queried(rows, common), formatOf(output, place), common, place);
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
