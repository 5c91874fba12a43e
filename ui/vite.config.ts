import { resolve } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { CHUNKS } from "./chunks.ts";
import { mantineStyles } from "./mantine-styles.ts";

/** The service that the development server hands calls on to. */
const SERVICE = process.env.METACTION_URL ?? "http://127.0.0.1:8080";

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
    rolldownOptions: { output: { codeSplitting: { groups: [...CHUNKS] } } },
  },
  server: {
    host: "127.0.0.1",
    proxy: {
      "^/api(?:/[a-z_/]+)?$": { target: SERVICE, changeOrigin: true },
      "/health": { target: SERVICE, changeOrigin: true },
    },
  },
});
