import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent'

export interface OutgoingAgents {
  http: RequestFilteringHttpAgent
  https: RequestFilteringHttpsAgent
}

/** For addresses from others. Checked at connection, so a name that resolves differently later gains nothing. */
export function createOutgoingAgents(allowPrivate: boolean, maxSockets = 32): OutgoingAgents {
  const options = {
    keepAlive: true,
    maxSockets,
    allowPrivateIPAddress: allowPrivate,
    allowMetaIPAddress: allowPrivate,
  }
  return { http: new RequestFilteringHttpAgent(options), https: new RequestFilteringHttpsAgent(options) }
}

export const isBlockedAddressError = (error: unknown): boolean =>
  error instanceof Error && /is not allowed/.test(error.message)
