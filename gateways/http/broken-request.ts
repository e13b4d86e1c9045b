import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

import { type Code, DomainError } from '../../src/kernel/rules/domain-error.ts';
import { PROBLEM_TYPE, problemOf } from './problem.ts';

const KNOWN: Record<string, readonly [Code, string]> = {
  HPE_HEADER_OVERFLOW: ['HEADERS_TOO_LARGE', 'The request line and the headers may have 16 KB together.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['REQUEST_TIMEOUT', 'The request took too long to arrive.'],
};

/** Answers input that cannot be parsed as HTTP with a problem (docs/reference/api.md#problems). */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const [code, detail] = KNOWN[error.code ?? ''] ?? ['BODY_UNREADABLE', 'This is not readable as HTTP.'];
  const requestId = randomUUID();
  const problem = problemOf(new DomainError(code, detail), '/', requestId);
  const body = JSON.stringify(problem);
  socket.end(
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\ncontent-type: ${PROBLEM_TYPE}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nx-request-id: ${requestId}\r\nconnection: close\r\n\r\n${body}`,
  );
}
