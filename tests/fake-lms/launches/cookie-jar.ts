interface Cookie {
  name: string
  value: string
  host: string
  path: string
  /** As it was set, for tests that look at its attributes. */
  text: string
}

export class CookieJar {
  #cookies: Cookie[] = []

  get all(): readonly Cookie[] {
    return this.#cookies
  }

  store(url: string, lines: readonly string[]): void {
    for (const text of lines) {
      const [pair = '', ...attributes] = text.split(';').map((part) => part.trim())
      const split = pair.indexOf('=')
      const name = pair.slice(0, split)
      const value = (wanted: string) =>
        attributes.find((one) => one.toLowerCase().startsWith(`${wanted}=`))?.slice(wanted.length + 1)
      const cookie: Cookie = {
        name,
        value: pair.slice(split + 1),
        host: new URL(url).host,
        path: value('path') ?? '/',
        text,
      }
      const age = value('max-age')
      const expires = value('expires')
      const gone = age !== undefined ? Number(age) <= 0 : expires ? new Date(expires) <= new Date() : false
      this.#cookies = this.#cookies.filter(
        (one) => one.name !== name || one.host !== cookie.host || one.path !== cookie.path,
      )
      if (!gone) this.#cookies.push(cookie)
    }
  }

  headerFor(url: string): Record<string, string> {
    const { host, pathname } = new URL(url)
    const sent = this.#cookies.filter((one) => one.host === host && pathname.startsWith(one.path))
    return sent.length > 0 ? { cookie: sent.map(({ name, value }) => `${name}=${value}`).join('; ') } : {}
  }

  clear(): void {
    this.#cookies = []
  }
}
