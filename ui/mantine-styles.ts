import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Plugin } from "vite";

/** What every component needs: the variables, and how plain elements look. */
const SHARED = ["baseline.css", "default-css-variables.css", "global.css"];
/** The names of the classes of a component of Mantine, which it imports just before its own styles are due. */
const CLASSES = /[\\/]@mantine[\\/]core[\\/]esm[\\/](?:components|utils)[\\/](?<component>\w+)[\\/].*\.module\.mjs$/;

/**
 * In a build, each component of Mantine that is used brings its own styles, in the chunk that it is in, instead of those of
 * all components. The development server serves them all, since it bundles the library before it knows what is used.
 */
export function mantineStyles(): Plugin {
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
