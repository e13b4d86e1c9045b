import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { until } from './waiting.ts';

/** A span as OTLP/JSON writes it. */
export type CollectedSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
};

type Export = { resourceSpans: { scopeSpans: { spans: CollectedSpan[] }[] }[] };

/** An OTLP/HTTP collector that keeps all that it gets. */
export class Collector implements AsyncDisposable {
  readonly spans: CollectedSpan[] = [];
  /** Everything, as it came. */
  text = '';
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      this.text += text;
      if (request.url === '/v1/traces') {
        const { resourceSpans } = JSON.parse(text) as Export;
        for (const { scopeSpans } of resourceSpans) for (const { spans } of scopeSpans) this.spans.push(...spans);
      }
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });

  async open(): Promise<string> {
    await new Promise<void>((listening) => this.#server.listen(0, '127.0.0.1', listening));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The spans of a trace, once one of this name has come. */
  async trace(traceId: string, name: string): Promise<CollectedSpan[]> {
    const of = (): CollectedSpan[] => this.spans.filter((span) => span.traceId === traceId);
    return until(`${name} of ${traceId}`, 20_000, () => (of().some((span) => span.name === name) ? of() : undefined));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }
}
