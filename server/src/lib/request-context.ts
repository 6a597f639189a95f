import { AsyncLocalStorage } from 'node:async_hooks'

interface RequestContext {
  /** Jobs inherit it from the request that queued them. */
  requestId?: string | undefined
  /** Of the signed-in person, or of a job's course: the reading of papers is shared out by it. */
  fairShareKey?: string | undefined
}

/** Lost in loops shared with others, so it is passed there explicitly. */
const storage = new AsyncLocalStorage<RequestContext>()

export function currentContext(): Pick<RequestContext, 'requestId'> {
  const requestId = storage.getStore()?.requestId
  return requestId === undefined ? {} : { requestId }
}

export const currentFairShareKey = (): string => storage.getStore()?.fairShareKey ?? ''

export function setFairShareKey(key: string): void {
  const context = storage.getStore()
  if (context) context.fairShareKey = key
}

export const runForRequest = <T>(requestId: string | undefined, work: () => T, fairShareKey?: string): T =>
  storage.run({ requestId, fairShareKey }, work)
