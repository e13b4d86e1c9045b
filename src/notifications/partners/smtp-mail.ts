import { createRequire } from 'node:module';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import type MailComposer from 'nodemailer/lib/mail-composer';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';

import type { BreakerState, Delivery } from '../../kernel/ports.ts';
import { PartnerBreaker } from '../../platform/partners/circuit-breaker.ts';
import { faultCode } from '../../platform/partners/fault-code.ts';
import type { Mail, MailSender } from '../ports.ts';

/** nodemailer is loaded with the first mail: most services of a desk send none by SMTP. */
const require = createRequire(import.meta.url);
const composerClass = () => require('nodemailer/lib/mail-composer') as typeof MailComposer;
const protocolClass = () => require('nodemailer/lib/smtp-connection') as typeof SMTPConnection;

/** Timeout for connection and greeting, and for each later answer. */
const TIMEOUT_MS = 10_000;
const ANSWER_MS = 30_000;
/** Waiting time for an answer at shutdown. */
const LAST_WORD_MS = 2_000;

type Options = { timeoutMs?: number; answerMs?: number; lastWordMs?: number };

/** Parts of `SMTP_URL`: `smtp[s]://user:password@host:port?from=address`. */
type Server = {
  host: string;
  port: number;
  secure: boolean;
  auth?: { user: string; pass: string };
  from: string;
};

/**
 * Sends mails by SMTP, with a connection each. Of nodemailer only the message and the protocol are used: its transport
 * does not report whether the server had received the whole message when a connection was lost, which decides whether
 * the mail may be sent again. A server discards an incomplete message (RFC 5321, 4.1.1.4).
 */
export class SmtpMail implements MailSender {
  readonly #server: Server;
  readonly #timeoutMs: number;
  readonly #answerMs: number;
  readonly #lastWordMs: number;
  readonly #patience = new PartnerBreaker();

  constructor(url: string, options: Options = {}) {
    const { timeoutMs = TIMEOUT_MS, answerMs = ANSWER_MS, lastWordMs = LAST_WORD_MS } = options;
    this.#server = serverOf(url);
    this.#timeoutMs = timeoutMs;
    this.#answerMs = answerMs;
    this.#lastWordMs = lastWordMs;
  }

  get breaker(): BreakerState {
    return this.#patience.breaker;
  }

  async send(mail: Mail, signal: AbortSignal): Promise<Delivery> {
    const message = await composed(mail, this.#server.from).catch(() => undefined);
    if (message === undefined) return { outcome: 'REFUSED', reason: 'it cannot be written as a mail' };
    return this.#patience.deliver(() => this.#transmit(message, mail.to.address, signal));
  }

  async #transmit(message: Buffer, to: string, signal: AbortSignal): Promise<Delivery> {
    if (signal.aborted) return { outcome: 'AWAY', reason: 'the process goes' };
    const { host, port, secure, auth, from } = this.#server;
    // A socket of its own: the system resolves the address, and the socket can be closed at any time.
    const socket = connect({ host, port });
    const body = new Body(message);
    let lastWord: ReturnType<typeof setTimeout> | undefined;
    const cut = (): void => {
      if (body.isWhole) lastWord = setTimeout(() => socket.destroy(), this.#lastWordMs);
      else socket.destroy(new Error('the process goes'));
    };
    signal.addEventListener('abort', cut, { once: true });
    try {
      await connected(socket, this.#timeoutMs);
      const connection = new (protocolClass())({
        connection: socket,
        host,
        port,
        secure,
        servername: host,
        name: 'innkeeper.localdomain',
        // A password is never sent unencrypted, except to this machine.
        requireTLS: !secure && auth !== undefined && !isLoopback(host),
        greetingTimeout: this.#timeoutMs,
        socketTimeout: this.#answerMs,
        socketCloseTimeout: 0,
      });
      await spoken(connection, { auth, envelope: { from, to, size: message.length }, body });
      return { outcome: 'SENT' };
    } catch (error) {
      return deliveryOf(error, body.isWhole);
    } finally {
      signal.removeEventListener('abort', cut);
      clearTimeout(lastWord);
      socket.destroy();
    }
  }
}

/** The message as a stream, which begins when the server requests it (354). */
class Body extends Readable {
  /** It was read completely: the server may have it. */
  isWhole = false;
  readonly #message: Buffer;

  constructor(message: Buffer) {
    super();
    this.#message = message;
  }

  override _read(): void {
    this.isWhole = true;
    this.push(this.#message);
    this.push(null);
  }
}

type Talk = {
  auth?: { user: string; pass: string };
  envelope: { from: string; to: string; size: number };
  body: Readable;
};

/** Greets, authenticates if required, and sends one message; rejects with nodemailer's error. */
function spoken(connection: SMTPConnection, { auth, envelope, body }: Talk): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (error: Error | null | undefined): void => {
      if (error) reject(error);
      else resolve();
      connection.close();
    };
    const send = (error?: Error | null): void =>
      error ? end(error) : connection.send(envelope, body, (failed) => end(failed));
    connection.on('error', end);
    connection.on('end', () => end(new Error('the server has closed the connection')));
    connection.connect((error) => {
      if (error || auth === undefined) send(error);
      else connection.login({ credentials: auth }, (failed) => send(failed));
    });
  });
}

function connected(socket: Socket, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => socket.destroy(new Error('no connection in time')), timeoutMs);
    socket.once('close', () => clearTimeout(late));
    socket.once('error', reject);
    socket.once('connect', () => {
      clearTimeout(late);
      socket.off('error', reject);
      // Later errors are events of the connection, except those after its end.
      socket.on('error', () => {});
      resolve();
    });
  });
}

const PASSED_ON = /^(MAIL FROM|RCPT TO|DATA)$/;

/** An answer to the message itself is final; an earlier error says that the server is not available now. */
function deliveryOf(error: unknown, isWhole: boolean): Delivery {
  const { responseCode, command, code } = error as { responseCode?: number; command?: string; code?: string };
  const isAboutMessage = command !== undefined && PASSED_ON.test(command);
  if (responseCode !== undefined) {
    const reason = `SMTP ${responseCode} to ${command ?? 'the greeting'}`;
    if (!isAboutMessage || responseCode === 421 || responseCode === 503) return { outcome: 'AWAY', reason };
    return { outcome: responseCode >= 500 ? 'REFUSED' : 'DEFERRED', reason };
  }
  const reason = faultCode(error) ?? 'no connection';
  // Address or size, which are checked before anything is sent.
  if (code === 'EENVELOPE' || code === 'EMESSAGE') return { outcome: 'REFUSED', reason };
  return { outcome: isWhole ? 'UNKNOWN' : 'AWAY', reason };
}

function composed({ messageId, to, from, subject, text, html }: Mail, sender: string): Promise<Buffer> {
  const message = new (composerClass())({
    messageId: `<${messageId}@${sender.slice(sender.lastIndexOf('@') + 1)}>`,
    from: { name: from.name, address: sender },
    to,
    replyTo: from.replyTo === undefined ? undefined : { name: from.name, address: from.replyTo },
    subject,
    text,
    html,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return message.compile().build();
}

function serverOf(url: string): Server {
  const { protocol, hostname, port, username, password, searchParams } = new URL(url);
  const secure = protocol === 'smtps:';
  const host = decodeURIComponent(hostname).replace(/^\[(.*)\]$/, '$1');
  const user = decodeURIComponent(username);
  const named = searchParams.get('from') ?? (user.includes('@') ? user : undefined);
  return {
    host,
    secure,
    port: Number(port) || (secure ? 465 : 587),
    auth: user === '' ? undefined : { user, pass: decodeURIComponent(password) },
    from: named ?? `reservations@${host}`,
  };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}
