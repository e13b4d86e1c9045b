import { toWebRequest } from '@modelcontextprotocol/node';
import { Controller, Get, Inject, Post, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Services } from '../../src/kernel/operations/services.ts';
import { AGENT_SCOPE } from '../auth/identity.ts';
import { mcpUrl, METADATA_PATH } from '../http/admission/agent-resource.ts';
import { UncheckedBody } from '../http/parameters.ts';
import { AgentsOnly, callerOf, HttpReply, OpenRoute } from '../http/route.ts';
import { SERVICES } from '../rest/answer.ts';
import type { AgentLimits } from './agent-limits.ts';
import { readMessage } from './agent-message.ts';
import type { AgentHandler } from './agent-server.ts';
import type { AgentRequest } from './tool-call.ts';

/** Provides what the MCP server needs beside the services of operations. */
export const MCP = Symbol('mcp');

export type McpParts = { handler: AgentHandler; limits: AgentLimits };

/** The MCP server: tools by which agents search and book (docs/reference/mcp.md#mcp). */
@ApiExcludeController()
@Controller()
export class Mcp {
  @Inject(SERVICES) protected readonly services!: Services;
  @Inject(MCP) protected readonly parts!: McpParts;

  @Post('mcp')
  @AgentsOnly('Answer a message of MCP')
  async post(
    @Req() request: FastifyRequest,
    @HttpReply() reply: FastifyReply,
    @UncheckedBody() body: unknown,
  ): Promise<string> {
    const { handler, limits } = this.parts;
    const { message, fault } = readMessage(body);
    const caller = callerOf(request);
    const { tenantId, subject } = caller;
    // The node that received the request has counted it.
    const isCounted = request.requestScope?.admitted !== undefined;
    const refused = isCounted ? undefined : await limits.count(`${tenantId} ${subject}`);
    const agent: AgentRequest = { services: this.services, caller, refused: refused ?? fault };
    const answer = await handler(await toWebRequest(request.raw, message), agent, message);
    const text = await answer.text();
    if (agent.forward) {
      // What may run twice is sent to the owner again when its answer is lost.
      if (agent.isRepeatable) request.headers['idempotency-key'] = caller.requestId;
      throw agent.forward;
    }
    reply.code(answer.status).header('content-type', answer.headers.get('content-type') ?? 'application/json');
    return text;
  }

  /** Names the issuer of tokens (RFC 9728). */
  @Get([METADATA_PATH, `${METADATA_PATH}/mcp`])
  @OpenRoute('Describe the protected resource')
  metadata(@Req() request: FastifyRequest, @HttpReply() reply: FastifyReply): string {
    const { publicUrl, issuer } = this.services;
    reply.header('content-type', 'application/json; charset=utf-8').header('access-control-allow-origin', '*');
    return JSON.stringify({
      resource: mcpUrl(publicUrl, request),
      resource_name: 'Innkeeper',
      authorization_servers: [issuer],
      scopes_supported: [AGENT_SCOPE],
      bearer_methods_supported: ['header'],
    });
  }
}
