import { createImporter } from "../../../shared/formats/importer.ts";
import { createChain } from "../../../shared/service/chain.ts";
import { createService } from "../../../shared/service/create-service.ts";
import { imagesOf } from "../../actions/support/table-image.ts";
import { ISSUER } from "../../support/issuer.ts";
import { realRuntime } from "../../support/runtime.ts";
import { openTable } from "../../support/table.ts";
import { testKeys } from "../../support/world.ts";

export interface Sent {
  readonly action: string;
  readonly body: object;
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Creates a service on a new table and collects its log. `take` returns all items; `change` replaces options. */
export async function wholeService(change: Partial<Parameters<typeof createService>[0]>) {
  const opened = await openTable();
  const { table } = opened;
  const lines: string[] = [];
  const service = createService({
    connector: { connect: () => table },
    runtime: realRuntime,
    keys: await testKeys(),
    issuer: ISSUER,
    bootstrapSecret: async () => undefined,
    importer: createImporter({ allowPrivate: false }),
    startJob: async () => undefined,
    facts: { version: "0", engine: "test", endpoint: "http://endpoint.example", table: "test" },
    ...change,
  });
  const answer = createChain(service, { publicUrl: ISSUER, corsOrigins: [], log: (line) => lines.push(line) });
  const send = async ({ action, body, token, headers = {} }: Sent) => {
    const response = await answer({
      method: "POST",
      path: `/api/${action}`,
      query: "",
      headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }), ...headers },
      body: JSON.stringify(body),
    });
    return { status: response.status, headers: response.headers, text: String(response.body) };
  };
  return { service, table, lines, send, take: imagesOf(opened).take };
}
