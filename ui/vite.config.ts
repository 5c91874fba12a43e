import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import react from "@vitejs/plugin-react";
import type { CodeSplittingGroup } from "rolldown";
import { defineConfig, type Plugin } from "vite";

/** The service that the development server hands calls on to. */
const SERVICE = process.env.METACTION_URL ?? "http://127.0.0.1:8080";

/** Files that screens share: a module goes into the first one that takes it. Other modules stay with their screen. */
const CHUNKS: CodeSplittingGroup[] = [
  { name: "start", tags: ["$initial"] },
  { name: "common", minShareCount: 11 },
  { name: "parts", test: /[\\/]ui[\\/]/, minShareCount: 6 },
];

/** What every component needs: the variables, and how plain elements look. */
const SHARED = ["baseline.css", "default-css-variables.css", "global.css"];
/** The names of the classes of a component of Mantine, which it imports just before its own styles are due. */
const CLASSES = /[\\/]@mantine[\\/]core[\\/]esm[\\/](?:components|utils)[\\/](?<component>\w+)[\\/].*\.module\.mjs$/;

/**
 * In a build, each component of Mantine that is used brings its own styles, in the chunk that it is in, instead of those of
 * all components. The development server serves them all, since it bundles the library before it knows what is used.
 */
function mantineStyles(): Plugin {
  return {
    name: "mantine-styles",
    apply: "build",
    enforce: "pre",
    load: async (id) => {
      if (!id.replaceAll("\\", "/").endsWith("/@mantine/core/styles.css")) return undefined;
      const files = SHARED.map((name) => join(dirname(id), "styles", name));
      return (await Promise.all(files.map((file) => readFile(file, "utf8")))).join("\n");
    },
    transform: (code, id) => {
      const component = CLASSES.exec(id)?.groups?.component;
      if (component === undefined) return undefined;
      const styles = join(
        id.slice(0, id.search(/[\\/]esm[\\/](?:components|utils)[\\/]/)),
        "styles",
        `${component}.css`,
      );
      if (!existsSync(styles)) return undefined;
      return { code: `import "@mantine/core/styles/${component}.css";\n${code}`, map: null };
    },
  };
}

/** The web application: built into `dist/ui`, whose files have names that change with their content. */
export default defineConfig({
  root: import.meta.dirname,
  base: "/",
  plugins: [react(), mantineStyles()],
  resolve: { alias: { "@examples": resolve(import.meta.dirname, "../examples") } },
  build: {
    outDir: "../dist/ui",
    emptyOutDir: true,
    target: "es2023",
    // The first ones that know light-dark(): what is written in its place for older ones gives both colours at once here.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // No file is written into another one: the policy of the pages lets files of this origin run, and nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_500,
    rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } },
  },
  server: {
    host: "127.0.0.1",
    proxy: {
      "^/api(?:/[a-z_/]+)?$": { target: SERVICE, changeOrigin: true },
      "/health": { target: SERVICE, changeOrigin: true },
    },
  },
});
