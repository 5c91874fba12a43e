import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";

/** The one-time bootstrap secret in a file that only its owner can read; made when there is none yet. */
export async function keptSecret(file: string): Promise<string> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  const secret = randomBytes(24).toString("base64url");
  await writeFile(file, `${secret}\n`, { mode: 0o600, flag: "wx" });
  return secret;
}
