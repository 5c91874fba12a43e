import { rotateKeyFile } from "../shared/identity/tokens/file-keys.ts";
import { readSettings } from "./settings.ts";
import { BadSetting, FILES, prepareFolder } from "./sqlite/data-folder.ts";

async function main(): Promise<number> {
  try {
    const { folder } = readSettings(process.env, process.cwd());
    await prepareFolder(folder);
    const [current, ...before] = await rotateKeyFile(FILES.signingKeys(folder));
    process.stdout.write(
      `New signing key ${current}; it signs from the next start on.\n${before.map((kid) => `Still good: tokens of ${kid}.\n`).join("")}`,
    );
    return 0;
  } catch (error) {
    // The message of such an error is one sentence with a solution.
    if (!(error instanceof BadSetting) && !(error instanceof Error)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
}

process.exitCode = await main();
