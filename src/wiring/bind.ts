export async function bind<T>(variable: string, port: number, start: (port: number) => Promise<T>): Promise<T> {
  try {
    return await start(port);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const taken = code === 'EADDRINUSE' || code === 'AddrInUse';
    const why = taken ? 'is taken by another program; stop it, or choose another port' : `cannot be used: ${message}`;
    throw new Error(`port ${port} (${variable}) ${why}`, { cause: error });
  }
}
