import { createServer, type IncomingMessage } from 'node:http';
import { Webhook } from 'standardwebhooks';

/** Bodies of Innkeeper are smaller. */
const MAX_BYTES = 1024 * 1024;
/** Ids that are remembered, to drop repeats. A database would remember all of them. */
const MAX_SEEN = 10_000;

type Message = { type: string; propertyId?: string; generation?: number; seq?: number; data: unknown };

const { WEBHOOK_SECRET = '', PORT = '3000' } = process.env;
const webhook = new Webhook(WEBHOOK_SECRET);
const seen = new Set<string>();

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Error('the body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Takes a message once. @throws Error for a signature that is not right or too old */
function take(headers: Record<string, string>, body: string): void {
  const message = webhook.verify(body, headers) as Message;
  const id = headers['webhook-id'] ?? '';
  if (seen.has(id)) return;
  seen.add(id);
  const [oldest] = seen;
  if (seen.size > MAX_SEEN && oldest !== undefined) seen.delete(oldest);
  const { type, propertyId, generation, seq } = message;
  process.stdout.write(`${JSON.stringify({ type, propertyId, generation, seq })}\n`);
}

const server = createServer((request, response) => {
  read(request)
    .then((body) => take(request.headers as Record<string, string>, body))
    .then(
      () => response.writeHead(204).end(),
      () => response.writeHead(400).end(),
    );
});

server.listen(Number(PORT), '127.0.0.1', () => process.stderr.write(`listening on port ${PORT}\n`));
