import { join, resolve } from "node:path";

/** The absolute path of the data folder that the environment names; an empty variable counts as not set. */
export function folderIn(environment: Readonly<Record<string, string | undefined>>, workingFolder: string): string {
  return resolve(workingFolder, environment.METACTION_DATA_DIR || ".metaction");
}

/** The paths of the service's files in the data folder. */
export const FILES = {
  database: (folder: string) => join(folder, "metaction.db"),
  signingKeys: (folder: string) => join(folder, "signing-keys.json"),
  bootstrapSecret: (folder: string) => join(folder, "bootstrap-secret"),
} as const;
