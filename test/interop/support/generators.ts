import { cp, mkdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { runStep } from "./run-step.ts";
import { npmTools, openapiGeneratorJar, pythonTools } from "./toolbox.ts";

/** Files of one generator: the description that it reads, and folders for the client and the program. */
export interface Place {
  readonly document: string;
  readonly folder: string;
}

/** Generator of clients: required programs, and the steps that make, compile and run its client or throw. */
export interface Generator {
  readonly name: string;
  /** Programs that have to be there. */
  readonly needs: readonly string[];
  readonly generate: (place: Place) => Promise<void>;
  readonly compile: (place: Place) => Promise<void>;
  /** Runs the program of `programs/` with these arguments, and answers what it printed. */
  readonly run: (place: Place, words: readonly string[]) => Promise<string>;
}

const program = (name: string) => join(import.meta.dirname, "../programs", name);

/** The parts of a client that are code; pages and tests of its own are left out. */
const CODE = "apis,models,supportingFiles,apiTests=false,modelTests=false,apiDocs=false,modelDocs=false";

async function openapiGenerator(language: string, output: string, document: string, properties: object) {
  const named = Object.entries(properties).map(([name, value]) => `${name}=${value}`);
  await runStep("java", [
    ...["-jar", await openapiGeneratorJar(), "generate", "-i", document, "-g", language, "-o", output],
    ...[`--global-property=${CODE}`, ...(named.length > 0 ? [`--additional-properties=${named.join(",")}`] : [])],
  ]);
}

/** A program that imports every module of a Python client, which is the way to compile it. */
const IMPORT_ALL =
  "import importlib, pkgutil, metaction_client as c; [importlib.import_module(m.name) for m in pkgutil.walk_packages(c.__path__, 'metaction_client.')]";

const importAll = async ({ folder }: Place) =>
  void (await runStep(join(await pythonTools(), "python"), ["-W", "error", "-c", IMPORT_ALL], { cwd: folder }));

const runPython =
  (name: string) =>
  async ({ folder }: Place, words: readonly string[]) =>
    runStep(join(await pythonTools(), "python"), [program(name), ...words], { env: { PYTHONPATH: folder } });

const STRICT =
  "--noEmit --strict --target es2022 --module esnext --moduleResolution bundler --skipLibCheck --types node".split(" ");

/** Checks the types of a program together with the client it uses, and makes one file of both. */
const compileTypeScript =
  (name: string) =>
  async ({ folder }: Place) => {
    const tools = await npmTools();
    await symlink(join(tools, "node_modules"), join(folder, "node_modules"));
    await cp(program(name), join(folder, "program.ts"));
    await runStep(join(tools, "node_modules/.bin/tsc"), [...STRICT, "program.ts"], { cwd: folder });
    const entryPoints = [join(folder, "program.ts")];
    await build({ entryPoints, bundle: true, platform: "node", format: "esm", outfile: join(folder, "program.mjs") });
  };

const runNode = ({ folder }: Place, words: readonly string[]) =>
  runStep(process.execPath, [join(folder, "program.mjs"), ...words]);

/** The generators that the description has to work in. */
export const GENERATORS: readonly Generator[] = [
  {
    name: "openapi-generator, Python",
    needs: ["java", "mvn", "python3"],
    generate: ({ document, folder }) =>
      openapiGenerator("python", folder, document, { packageName: "metaction_client" }),
    compile: importAll,
    run: runPython("openapi_generator.py"),
  },
  {
    name: "openapi-generator, Go",
    needs: ["java", "mvn", "go"],
    generate: async ({ document, folder }) => {
      // By default, the client refuses members that the document does not have.
      const open = { disallowAdditionalPropertiesIfNotPresent: false };
      await openapiGenerator("go", folder, document, { packageName: "metaction", isGoSubmodule: false, ...open });
      await runStep("go", ["mod", "edit", "-module=clients.test/metaction/go"], { cwd: folder });
    },
    compile: async ({ folder }) => {
      await mkdir(join(folder, "program"));
      await cp(program("main.go"), join(folder, "program/main.go"));
      await runStep("go", ["mod", "tidy"], { cwd: folder });
      await runStep("go", ["vet", "./..."], { cwd: folder });
      await runStep("go", ["build", "-o", "program/main", "./program"], { cwd: folder });
    },
    run: ({ folder }, words) => runStep(join(folder, "program/main"), words),
  },
  {
    name: "openapi-generator, Java",
    needs: ["java", "mvn"],
    generate: ({ document, folder }) =>
      openapiGenerator("java", folder, document, {
        library: "native",
        invokerPackage: "metaction.client",
        apiPackage: "metaction.client.api",
        modelPackage: "metaction.client.model",
      }),
    compile: async ({ folder }) => {
      await cp(program("Main.java"), join(folder, "src/main/java/metaction/Main.java"));
      const goals = ["compile", "dependency:build-classpath", "-Dmdep.outputFile=classpath.txt"];
      await runStep("mvn", ["-q", "-B", "-Dmaven.test.skip=true", ...goals], { cwd: folder });
    },
    run: async ({ folder }, words) => {
      const libraries = await readFile(join(folder, "classpath.txt"), "utf8");
      return runStep("java", ["-cp", `${join(folder, "target/classes")}:${libraries}`, "metaction.Main", ...words]);
    },
  },
  {
    name: "openapi-generator, typescript-fetch",
    needs: ["java", "mvn"],
    generate: ({ document, folder }) => openapiGenerator("typescript-fetch", join(folder, "client"), document, {}),
    compile: compileTypeScript("typescript-fetch.ts"),
    run: runNode,
  },
  {
    name: "openapi-python-client",
    needs: ["python3"],
    generate: async ({ document, folder }) => {
      const tools = await pythonTools();
      const words = ["generate", "--path", document, "--output-path", folder, "--overwrite", "--fail-on-warning"];
      // The generator calls the formatter that is installed with it, so that folder has to be on the path.
      const env = { PATH: `${tools}:${process.env.PATH}` };
      await runStep(join(tools, "openapi-python-client"), words, { env });
    },
    compile: importAll,
    run: runPython("openapi_python_client.py"),
  },
  {
    name: "openapi-typescript",
    needs: [],
    generate: async ({ document, folder }) => {
      const bin = join(await npmTools(), "node_modules/.bin/openapi-typescript");
      await runStep(bin, [document, "-o", join(folder, "client/schema.ts")]);
    },
    compile: compileTypeScript("openapi-typescript.ts"),
    run: runNode,
  },
  {
    name: "@hey-api/openapi-ts",
    needs: [],
    generate: async ({ document, folder }) => {
      const bin = join(await npmTools(), "node_modules/.bin/openapi-ts");
      await runStep(bin, ["-i", document, "-o", join(folder, "client"), "--no-log-file"], { cwd: folder });
    },
    compile: compileTypeScript("hey-api.ts"),
    run: runNode,
  },
];
