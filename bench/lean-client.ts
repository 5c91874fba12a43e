import { Agent, request } from "node:http";

/** The answer of a service to one call. */
interface Answered {
  readonly status: number;
  readonly body: string;
}

/** A client that costs little beside what it measures: sockets that stay open, and bodies as text. `fetch` takes a third of a millisecond. */
export interface LeanClient {
  /** Calls one action with a payload. */
  call(action: string, payload: object, token?: string): Promise<Answered>;
  close(): void;
}

/** A client of the service at `url`. */
export function createLeanClient(url: string): LeanClient {
  const agent = new Agent({ keepAlive: true });
  return {
    call: (action, payload, token) =>
      answered(`${url}/api/${action}`, agent, JSON.stringify(payload), {
        "content-type": "application/json",
        ...(token && { authorization: `Bearer ${token}` }),
      }),
    close: () => agent.destroy(),
  };
}

function answered(url: string, agent: Agent, body: string, headers: Record<string, string>): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST", agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString("utf8") }),
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
