import { AsyncLocalStorage } from 'node:async_hooks'

/** Added to every log line. */
interface RequestContext {
  /** Jobs inherit it from the request that queued them. */
  requestId?: string
}

/** Lost in loops shared with others, so it is passed there explicitly. */
const storage = new AsyncLocalStorage<RequestContext>()

export const currentContext = (): RequestContext => ({ ...storage.getStore() })

/** Without an id: for nobody. */
export const runForRequest = <T>(requestId: string | undefined, work: () => T): T =>
  storage.run(requestId === undefined ? {} : { requestId }, work)
