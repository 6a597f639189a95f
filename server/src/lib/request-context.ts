import { AsyncLocalStorage } from 'node:async_hooks'

/** What the log says with every line. */
interface RequestContext {
  /** Of the request that something is done for, jobs that it queued included. */
  requestId?: string
}

/** The request that the running code works for; lost where work is handed to somebody else's loop, and given again there. */
const storage = new AsyncLocalStorage<RequestContext>()

/** A copy. */
export const currentContext = (): RequestContext => ({ ...storage.getStore() })

/** Without an id: for nobody. */
export const runForRequest = <T>(requestId: string | undefined, work: () => T): T =>
  storage.run(requestId === undefined ? {} : { requestId }, work)
