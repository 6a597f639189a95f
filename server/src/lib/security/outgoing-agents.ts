import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent'

export interface OutgoingAgents {
  http: RequestFilteringHttpAgent
  https: RequestFilteringHttpsAgent
}

/**
 * What connects to addresses from users or other servers. Addresses are looked at as they are connected to: a name that
 * means another address at the second look gains nothing.
 */
export function createOutgoingAgents(allowPrivate: boolean, maxSockets = 32): OutgoingAgents {
  const options = {
    keepAlive: true,
    maxSockets,
    allowPrivateIPAddress: allowPrivate,
    allowMetaIPAddress: allowPrivate,
  }
  return { http: new RequestFilteringHttpAgent(options), https: new RequestFilteringHttpsAgent(options) }
}

/** Whether a connection was not made because of where it would have gone. */
export const isBlockedAddressError = (error: unknown): boolean =>
  error instanceof Error && /is not allowed/.test(error.message)
