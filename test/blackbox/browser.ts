type Asked = { method?: string; headers?: Record<string, string>; body?: string };

/** A browser: it keeps cookies by origin and follows redirects as long as one wants it to. */
export class Browser {
  readonly cookies = new Map<string, string>();
  /** Whole lines, as they were set. */
  readonly lines: string[] = [];

  async ask(url: string, init: Asked = {}): Promise<Response> {
    const { origin } = new URL(url);
    const own = [...this.cookies].filter(([key]) => key.startsWith(origin));
    const cookie = own.map(([key, value]) => `${key.slice(origin.length)}=${value}`).join('; ');
    const response = await fetch(url, { ...init, headers: { cookie, ...init.headers }, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      this.lines.push(line);
      const [name = '', value = ''] = line.split(';', 1)[0]!.split('=', 2);
      if (/max-age=0(;|$)/i.test(line)) this.cookies.delete(origin + name);
      else this.cookies.set(origin + name, value);
    }
    return response;
  }

  /** @returns the first address that `ends` says yes to, unasked */
  async follow(from: string, ends: (url: URL) => boolean): Promise<string> {
    let url = from;
    for (let hop = 0; hop < 10; hop += 1) {
      const response = await this.ask(url);
      const next = response.headers.get('location');
      await response.text();
      if (next === null) throw new Error(`${response.status} at ${url}`);
      url = new URL(next, url).href;
      if (ends(new URL(url))) return url;
    }
    throw new Error('too many redirects');
  }
}
