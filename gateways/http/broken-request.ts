import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';

import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import { PROBLEM_TYPE, problemOf } from './problem.ts';

const WORDS: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'The headers are too large.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request took too long to arrive.',
};

/** Answers input that cannot be parsed as HTTP with a problem (docs/reference/api.md#problems). */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const detail = WORDS[error.code ?? ''] ?? 'This is not readable as HTTP.';
  const requestId = randomUUID();
  const body = JSON.stringify(problemOf(new DomainError('BODY_UNREADABLE', detail), '/', requestId));
  socket.end(
    `HTTP/1.1 400 Bad Request\r\ncontent-type: ${PROBLEM_TYPE}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
      `x-request-id: ${requestId}\r\nconnection: close\r\n\r\n${body}`,
  );
}
