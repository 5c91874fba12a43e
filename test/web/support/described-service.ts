import { createCatalogue } from "../../../shared/actions/catalogue.ts";
import { describeApi } from "../../../shared/http/openapi.ts";
import { type OpenApiDocument, parseDescription, type ServiceDescription } from "../../../ui/api/description.ts";

/** The service as the application reads its description. */
export const describedService = async (): Promise<ServiceDescription> =>
  parseDescription((await apiDocument()) as OpenApiDocument);

/** What `GET /api` answers, as it comes over the wire. */
export async function apiDocument(version = "1.0.0"): Promise<unknown> {
  const service = { registry: createCatalogue(), facts: { version } };
  const document = await describeApi(service, "https://metadata.test/");
  return JSON.parse(JSON.stringify(document));
}
