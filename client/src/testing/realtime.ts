import type { ServerEvents } from '@assay/shared/realtime.ts'
import { act } from '@testing-library/react'
import { useEffect } from 'react'
import type { ConnectionState } from '../lib/api/realtime.ts'

export const realtime: { state: ConnectionState } = { state: 'connected' }

const watchers = new Set<Partial<ServerEvents>>()

export function useAssignmentEvents(_assignmentId: number, handlers: Partial<ServerEvents>): ConnectionState {
  useEffect(() => {
    watchers.add(handlers)
    return () => void watchers.delete(handlers)
  }, [handlers])
  return realtime.state
}

export function sendEvent<E extends keyof ServerEvents>(name: E, payload: Parameters<ServerEvents[E]>[0]): void {
  const listening = [...watchers].flatMap((handlers) => handlers[name] ?? [])
  if (listening.length === 0) throw new Error(`Nobody listens for ${name}`)
  act(() => {
    for (const hear of listening) (hear as (payload: unknown) => void)(payload)
  })
}
