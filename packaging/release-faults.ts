/** A text file of the package. */
export interface PackedFile {
  readonly path: string;
  readonly text: string;
}

/** Largest size of the tarball, packed and unpacked. */
const MOST_BYTES = { packed: 8e6, unpacked: 16e6 };

const EXPECTED =
  /^(?:CHANGELOG\.md|LICENSE|README\.md|package\.json|cli\/metaction\.js|dist\/licenses\.txt|dist\/cli\/[\w-]+\.js|dist\/client\/create-client\.js|dist\/types\/[\w./-]+\.d\.ts|dist\/ui\/(?!\.)[\w./-]+)$/;
const NEEDED = ["cli/metaction.js", "dist/cli/main.js", "dist/client/create-client.js", "dist/ui/index.html"];

const PASSED_ON = /^\((?:0BSD|Apache-2\.0|BSD-[23]-Clause|ISC|MIT|\(?MIT OR [\w.-]+\)?)\)$/;

const SECRETS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----\n[A-Za-z0-9+/=\n]{60}/,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/,
  /\bgh[pousr]_[A-Za-z0-9]{36}\b/,
  /\bnpm_[A-Za-z0-9]{36}\b/,
  /_authToken=\S/,
];

/** Returns why a version cannot be released: changelog and action must name it. */
export function findVersionFaults(version: string, changelog: string, action: string): readonly string[] {
  const [, newest = "nothing", note = ""] = /^## (\S+)(?: \((.*)\))?$/m.exec(changelog) ?? [];
  return [
    ...(newest === version ? [] : [`CHANGELOG.md begins with ${newest}, and package.json says ${version}`]),
    ...(/^\d{4}-\d{2}-\d{2}$/.test(note)
      ? []
      : [`CHANGELOG.md says "${note}" of ${newest}; give it the day of the release`]),
    ...(action.includes(`default: metaction@${version}\n`) ? [] : [`action.yml does not install metaction@${version}`]),
  ];
}

/** Returns unexpected and missing files, and sizes that are too large. */
export function findContentFaults(
  paths: readonly string[],
  bytes: { readonly packed: number; readonly unpacked: number },
): readonly string[] {
  const sizes = (["packed", "unpacked"] as const).filter((form) => bytes[form] > MOST_BYTES[form]);
  return [
    ...paths.filter((path) => !EXPECTED.test(path)).map((path) => `${path} does not belong to the package`),
    ...NEEDED.filter((path) => !paths.includes(path)).map((path) => `${path} is missing`),
    ...sizes.map((form) => `the package has ${bytes[form]} bytes ${form}, more than ${MOST_BYTES[form]}`),
  ];
}

/** Returns the files that contain a secret, or a path of the machine that packed. */
export function findLeakFaults(files: readonly PackedFile[], folders: readonly string[]): readonly string[] {
  return files.flatMap(({ path, text }) => [
    ...folders.filter((folder) => text.includes(folder)).map((folder) => `${path} names ${folder}`),
    ...SECRETS.filter((secret) => secret.test(text)).map((secret) => `${path} has what looks like a secret: ${secret}`),
  ]);
}

/** Returns the packages that must not be distributed; an empty page is a fault too. */
export function findLicenseFaults(page: PackedFile): readonly string[] {
  const rows = [...page.text.matchAll(/^## (\S+ - \S+) (\(.*\))$/gm)];
  if (rows.length === 0) return [`${page.path} lists no package`];
  const faults = rows.filter(([, , license = ""]) => !PASSED_ON.test(license));
  return faults.map(([, name, license]) => `${page.path}: ${name} is under ${license}`);
}
