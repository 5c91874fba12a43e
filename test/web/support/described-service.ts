import { createCatalogue } from "../../../shared/actions/catalogue.ts";
import { createUnscopedCallers } from "../../../shared/actions/pipeline/caller-rights.ts";
import { createWriteQueue } from "../../../shared/actions/pipeline/write-queue.ts";
import { describeApi } from "../../../shared/http/openapi.ts";
import { type OpenApiDocument, parseDescription, type ServiceDescription } from "../../../ui/api/description.ts";

/** The service as the application reads its description. */
export const describedService = async (): Promise<ServiceDescription> =>
  parseDescription((await apiDocument()) as OpenApiDocument);

/** What `GET /api` answers, as it comes over the wire. */
export async function apiDocument(version = "1.0.0"): Promise<unknown> {
  const unused = () => {
    throw new Error("describing the service must not run it");
  };
  const document = await describeApi(
    {
      registry: createCatalogue(),
      runtime: { now: () => 0, newId: () => "id", random: () => 0, sleep: async () => undefined },
      unscopedCallers: createUnscopedCallers(),
      writeQueue: createWriteQueue(),
      facts: { version, engine: "an engine", endpoint: "", table: "" },
      ports: unused,
      verification: { configuration: unused, keySet: unused },
    },
    "https://metadata.test/",
  );
  return JSON.parse(JSON.stringify(document));
}
