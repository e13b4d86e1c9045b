import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

import type { Role, Service } from './service.ts';
import { signedToken } from './signed-token.ts';

export const SCOPE = 'innkeeper:agent';

/** What a tool has answered. */
export type ToolAnswer<T = Record<string, unknown>> = { isError: boolean; json: T };

/** A token for the agent of a demo user, as the issuer would give it. */
export const agentToken = (service: Service, tenant = 'demo', role: Role = 'STAFF'): Promise<string> =>
  signedToken(service.dataDir, service.token(tenant, role), { claims: { scope: SCOPE } });

/** The official client, connected to the MCP server. */
export class AgentClient implements AsyncDisposable {
  readonly client: Client;

  private constructor(client: Client) {
    this.client = client;
  }

  /** @param mode auto: it finds out which revision of the protocol the server has, as newer clients do */
  static async open(
    url: string,
    token: string,
    { tenant = 'demo', mode = 'auto' }: { tenant?: string; mode?: 'auto' | 'legacy' } = {},
  ): Promise<AgentClient> {
    const client = new Client({ name: 'blackbox', version: '1.0.0' }, { versionNegotiation: { mode } });
    const headers = { authorization: `Bearer ${token}`, 'x-tenant-id': tenant };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
    return new AgentClient(client);
  }

  async call<T = Record<string, unknown>>(name: string, args: Record<string, unknown> = {}): Promise<ToolAnswer<T>> {
    const { structuredContent, isError = false } = await this.client.callTool({ name, arguments: args });
    return { isError, json: structuredContent as T };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
  }
}
