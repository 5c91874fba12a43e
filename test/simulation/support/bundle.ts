import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { build, type Plugin } from "esbuild";

const ROOT = resolve(import.meta.dirname, "../../..");

/** Change of one source file, to simulate the service with a defect. */
export interface Planting {
  readonly file: string;
  readonly change: (text: string) => string;
}

/** Writes the simulation as one file, which starts at once and calls what is loaded on demand without delay. */
export async function bundleSimulation(outfile: string, planting?: Planting): Promise<void> {
  await build({
    entryPoints: [join(import.meta.dirname, "main.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node24",
    sourcemap: "inline",
    // The simulation calls no part of the cloud.
    external: ["@aws-sdk/*"],
    banner: { js: REQUIRE },
    plugins: planting ? [createPlugin(planting)] : [],
    logLevel: "warning",
  });
}

/** Packages that are CommonJS ask for Node's own modules by `require`. */
const REQUIRE = `import { createRequire } from "node:module"; const require = createRequire(${JSON.stringify(join(ROOT, "package.json"))});`;

function createPlugin({ file, change }: Planting): Plugin {
  const path = join(ROOT, file);
  return {
    name: "planted",
    setup: ({ onLoad }) => {
      onLoad({ filter: /\.ts$/ }, async (args) =>
        args.path === path ? { contents: change(await readFile(path, "utf8")), loader: "ts" } : undefined,
      );
    },
  };
}
