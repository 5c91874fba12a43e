import { existsSync } from "node:fs";
import { digestOfSources, isBuilt } from "../../functions/web/sources.ts";
import { inRepository, WEB_FOLDER } from "../../functions/web/web-folder.ts";
import { type BuildApart, buildApart } from "./build-apart.ts";
import { readStaticFiles } from "./static-files.ts";
import type { WebFiles } from "./web-application.ts";

/** The build of the sources as they are, made where there is none; in the package, which has no sources, the build it brings. */
export function builtFiles(): WebFiles {
  let building: BuildApart | undefined;
  let isStopped = false;
  return {
    read: async (begins) => {
      if (existsSync(inRepository("ui")) && !(await isBuilt(await digestOfSources()))) {
        if (isStopped) throw new Error("the service was ended before");
        begins();
        building = buildApart();
        await building.done;
      }
      return readStaticFiles(WEB_FOLDER);
    },
    stop: async () => {
      isStopped = true;
      await building?.stop();
    },
  };
}
