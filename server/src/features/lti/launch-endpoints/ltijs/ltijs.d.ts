/** As much of ltijs as we use: the package brings no types. */
declare module 'ltijs' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  /** What ltijs calls with what it knows of the launch, once it has let one in; it brings an Express 4 of its own. */
  type Connected = (token: unknown, request: IncomingMessage, response: ServerResponse) => void

  type Entry = Record<string, unknown>

  /** Where ltijs keeps things: `Get` answers false when there is nothing. The key given first says that it wants them sealed. */
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
    /** The launch is handed on within its own request: no redirect, no `ltik`, no session cookie. */
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

  /** One for the whole process; we make our own by its constructor. */
  export const Provider: Provider & { readonly constructor: new () => Provider }
}
