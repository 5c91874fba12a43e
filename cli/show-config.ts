import { configurationFile, readConfiguration } from "./configuration.ts";
import { EXIT, usage } from "./failure.ts";
import { formatOf, print, queried } from "./output.ts";
import { ownFlags } from "./own-flags.ts";
import { settle } from "./settings.ts";
import type { Terminal } from "./terminal.ts";

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
  await print(await queried(rows, common), formatOf(output, place), common, place);
  return EXIT.done;
}
