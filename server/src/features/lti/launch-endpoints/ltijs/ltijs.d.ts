/** The part of ltijs we use: the package has no types. */
declare module 'ltijs' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  /** ltijs brings its own Express 4. */
  type Connected = (token: unknown, request: IncomingMessage, response: ServerResponse) => void

  type Entry = Record<string, unknown>

  /** `Get` returns false for nothing found. A key as first argument asks for encryption. */
  interface Database {
    setup(): Promise<void>
    Close(): Promise<void>
    Get(key: string | false, collection: string, query?: Entry): Promise<Entry[] | false>
    Insert(key: string | false, collection: string, item: Entry, index?: Entry): Promise<boolean>
    Replace(key: string | false, collection: string, query: Entry, item: Entry, index?: Entry): Promise<boolean>
    Modify(key: string | false, collection: string, query: Entry, change: Entry): Promise<boolean>
    Delete(collection: string, query: Entry): Promise<boolean>
  }

  interface Options {
    appRoute: string
    loginRoute: string
    keysetRoute: string
    dynRegRoute: string
    /** Within the request: no redirect, no `ltik`, no session cookie. */
    ltiaas: boolean
    cors: boolean
    devMode: boolean
    cookies: { secure: boolean; sameSite: 'None' }
    /** Seconds. */
    tokenMaxAge: number
  }

  interface Provider {
    readonly app: (request: IncomingMessage, response: ServerResponse) => void
    setup(encryptionKey: string, database: { plugin: Database }, options: Options): Provider
    onConnect(handle: Connected): true
    onDeepLinking(handle: Connected): true
  }

  /** A singleton; we create our own through its constructor. */
  export const Provider: Provider & { readonly constructor: new () => Provider }
}
