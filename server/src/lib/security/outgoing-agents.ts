import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent'

export interface OutgoingAgents {
  http: RequestFilteringHttpAgent
  https: RequestFilteringHttpsAgent
}

const made = new Map<string, OutgoingAgents>()

/** For addresses from others. Checked at connection, so a name that resolves differently later gains nothing. */
export function outgoingAgents(allowPrivate: boolean, maxSockets: number): OutgoingAgents {
  const key = `${allowPrivate} ${maxSockets}`
  const policy = { allowPrivateIPAddress: allowPrivate, allowMetaIPAddress: allowPrivate }
  const options = { keepAlive: true, maxSockets, ...policy }
  const agents = made.get(key) ?? {
    http: new RequestFilteringHttpAgent(options),
    https: new RequestFilteringHttpsAgent(options),
  }
  made.set(key, agents)
  return agents
}

export const isBlockedAddressError = (error: unknown): boolean =>
  error instanceof Error && /is not allowed/.test(error.message)
