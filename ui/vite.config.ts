import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import react from "@vitejs/plugin-react";
import type { CodeSplittingGroup } from "rolldown";
import { defineConfig, type Plugin } from "vite";

/** URL to which the development server forwards calls. */
const SERVICE = process.env.METACTION_URL ?? "http://127.0.0.1:8080";

/** Shared chunks: a module goes into the first chunk that matches. Other modules stay with their screen. */
const CHUNKS: CodeSplittingGroup[] = [
  { name: "start", tags: ["$initial"] },
  { name: "grid", test: /[\\/]ui[\\/]parts[\\/]grid[\\/]/ },
  { name: "common", minShareCount: 6 },
];

/** Styles of all components: variables and plain elements. */
const SHARED = ["baseline.css", "default-css-variables.css", "global.css"];
/** Variables of the colours of Mantine that no screen uses. Marks in search results use two shades of yellow. */
const UNUSED_COLORS =
  /^\s*--mantine-color-(?:cyan|grape|indigo|lime|orange|pink|teal|violet|yellow(?!-[25]:))-[^;]*;/gm;
/** Class names of a Mantine component, imported just before its styles belong. */
const CLASSES = /[\\/]@mantine[\\/]core[\\/]esm[\\/](?:components|utils)[\\/](?<component>\w+)[\\/].*\.module\.mjs$/;

/** Modules of Mantine, and the names in them that only developer tools show. */
const COMPONENTS = /[\\/]@mantine[\\/]core[\\/]esm[\\/].*\.mjs$/;
const DISPLAY_NAMES = /^[\w.]+\.displayName = .*;$/gm;

/** Adds the styles of each used Mantine component to its chunk, instead of those of all. */
function createMantineStyles(): Plugin {
  return {
    name: "mantine-styles",
    apply: "build",
    enforce: "pre",
    load: async (id) => {
      if (!id.replaceAll("\\", "/").endsWith("/@mantine/core/styles.css")) return undefined;
      const files = SHARED.map((name) => join(dirname(id), "styles", name));
      const styles = await Promise.all(files.map((file) => readFile(file, "utf8")));
      return styles.join("\n").replaceAll(UNUSED_COLORS, "");
    },
    transform: (code, id) => {
      const component = CLASSES.exec(id)?.groups?.component;
      if (component === undefined) return COMPONENTS.test(id) ? code.replace(DISPLAY_NAMES, "") : undefined;
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

/** Build of the web application into `dist/ui`, with content hashes in the file names. */
export default defineConfig({
  root: import.meta.dirname,
  base: "/",
  plugins: [react(), createMantineStyles()],
  resolve: { alias: { "@examples": resolve(import.meta.dirname, "../examples") } },
  build: {
    outDir: "../dist/ui",
    emptyOutDir: true,
    target: "es2023",
    // The first browsers with light-dark(). For older ones, the replacement would show both colours at once.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // Inlines no assets: the Content Security Policy of the pages allows only files of this origin.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_500,
    rolldownOptions: { output: { codeSplitting: { groups: CHUNKS, includeDependenciesRecursively: false } } },
  },
  server: {
    host: "127.0.0.1",
    proxy: {
      "^/api(?:/[a-z_/]+)?$": { target: SERVICE, changeOrigin: true },
      "/health": { target: SERVICE, changeOrigin: true },
    },
  },
});
