import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** Answers of a mail server in place of the usual ones; DROP hangs up, HANG says nothing any more. */
export type MailScript = Partial<Record<'greeting' | 'EHLO' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA' | 'end', string>>;

/** A mail that the server has taken or refused, as it came over the wire. */
export type Received = { from: string; to: string; message: string };

const USUAL = {
  greeting: '220 test',
  EHLO: '250-test\r\n250-AUTH PLAIN\r\n250 8BITMIME',
  AUTH: '235 welcome',
  MAIL: '250 ok',
  RCPT: '250 ok',
  DATA: '354 go on',
  end: '250 taken',
} as const satisfies MailScript;

/** A mail server on a real socket that does what its test says. */
export class MailServer implements AsyncDisposable {
  readonly received: Received[] = [];
  readonly commands: string[] = [];
  script: MailScript = {};
  /** Called with each mail before it is answered. */
  arrived: (mail: Received) => void = () => {};
  connections = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor() {
    this.#server = createServer((socket) => this.#talk(socket));
  }

  static async open(): Promise<MailServer> {
    const server = new MailServer();
    await new Promise<void>((done) => server.#server.listen(0, '127.0.0.1', done));
    return server;
  }

  /** @param login `user:password@` */
  url(login = '', query = ''): string {
    return `smtp://${login}127.0.0.1:${(this.#server.address() as AddressInfo).port}${query}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((done) => this.#server.close(done));
  }

  #talk(socket: Socket): void {
    this.connections += 1;
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => {});
    const mail: Received = { from: '', to: '', message: '' };
    let unread = '';
    let inMessage = false;
    this.#answer(socket, 'greeting');
    socket.on('data', (chunk) => {
      unread += chunk.toString('latin1');
      for (;;) {
        const end = unread.indexOf(inMessage ? '\r\n.\r\n' : '\r\n');
        if (end < 0) return;
        const text = unread.slice(0, end);
        unread = unread.slice(end + (inMessage ? 5 : 2));
        if (inMessage) {
          inMessage = false;
          const whole = { ...mail, message: text };
          this.received.push(whole);
          this.arrived(whole);
          this.#answer(socket, 'end');
        } else inMessage = this.#command(socket, text, mail);
      }
    });
  }

  /** @returns whether the message comes next */
  #command(socket: Socket, line: string, mail: Received): boolean {
    this.commands.push(line);
    const verb = line.split(/[ :]/, 1)[0]!.toUpperCase();
    const address = /<([^>]*)>/.exec(line)?.[1] ?? '';
    if (verb === 'MAIL') mail.from = address;
    if (verb === 'RCPT') mail.to = address;
    if (verb === 'QUIT') socket.end('221 bye\r\n');
    else if (verb in USUAL) this.#answer(socket, verb as keyof MailScript);
    else socket.write('502 no such command\r\n');
    return verb === 'DATA' && (this.script.DATA ?? USUAL.DATA).startsWith('354');
  }

  #answer(socket: Socket, to: keyof MailScript): void {
    const answer = this.script[to] ?? USUAL[to];
    if (answer === 'DROP') socket.destroy();
    else if (answer !== 'HANG') socket.write(`${answer}\r\n`);
  }
}
