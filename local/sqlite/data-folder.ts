import { existsSync } from "node:fs";
import { chmod, mkdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";

/** Unusable setting. The message names it, its value and what to do. */
export class BadSetting extends Error {}

const OWNER_ONLY_FOLDER = 0o700;
const OWNER_ONLY_FILE = 0o600;
/** Permission bits that let the group or everybody write. */
const WRITABLE_BY_OTHERS = 0o022;

/** Creates the data folder and restricts it to its owner. Throws `BadSetting` if others may write to it. */
export async function prepareFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
  // Windows has no such bits, and no user number.
  if (process.getuid === undefined) return;
  const { mode, uid } = await stat(folder);
  if ((mode & WRITABLE_BY_OTHERS) !== 0) {
    throw new BadSetting(
      `Others may write to the data folder ${folder}: run chmod 700 on it if all it holds is yours, or set METACTION_DATA_DIR to another folder.`,
    );
  }
  if (uid !== process.getuid()) {
    throw new BadSetting(
      `The data folder ${folder} is another user's: start the service as that user, or set METACTION_DATA_DIR to another folder.`,
    );
  }
  await chmod(folder, OWNER_ONLY_FOLDER);
  for (const file of restrictFiles(folder)) if (existsSync(file)) await chmod(file, OWNER_ONLY_FILE);
}

function restrictFiles(folder: string): readonly string[] {
  const sideFiles = ["-wal", "-shm", "-journal", "-lock"].map((ending) => FILES.database(folder) + ending);
  return [...Object.values(FILES).map((file) => file(folder)), ...sideFiles];
}

/** Returns the absolute path of the data folder; an empty variable counts as not set. */
export function resolveFolder(
  environment: Readonly<Record<string, string | undefined>>,
  workingFolder: string,
): string {
  return resolve(workingFolder, environment.METACTION_DATA_DIR || ".metaction");
}

export const FILES = {
  database: (folder: string) => join(folder, "metaction.db"),
  signingKeys: (folder: string) => join(folder, "signing-keys.json"),
  bootstrapSecret: (folder: string) => join(folder, "bootstrap-secret"),
} as const;
