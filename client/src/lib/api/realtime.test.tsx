import { PING_INTERVAL_MS } from '@assay/shared/realtime.ts'
import { render, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { useAssignmentEvents } from './realtime.ts'

// Elsewhere tests stand in for it.
vi.unmock('./realtime.ts')
const opened = vi.hoisted(() => ({ options: [] as unknown[] }))
vi.mock('socket.io-client', () => ({
  io: (options: unknown) => {
    opened.options.push(options)
    const nothing = () => {}
    return {
      on: nothing,
      off: nothing,
      emit: nothing,
      disconnect: nothing,
      connected: false,
      io: { on: nothing },
    }
  },
}))

const handlers = {}
const nothing = () => {}
function Watching() {
  return <p>{useAssignmentEvents(5, handlers, nothing)}</p>
}

it('reconnects five times, from a second on, and is pinged every 30 seconds', async () => {
  const view = render(<Watching />)
  await waitFor(() => expect(opened.options).toHaveLength(1))
  expect(view.container.textContent).toBe('connecting')
  expect(opened.options[0]).toMatchObject({
    path: '/socket.io',
    reconnectionAttempts: 5,
    reconnectionDelay: 1000,
  })
  // The server's part of it: see `server/src/features/realtime/realtime.ts`.
  expect(PING_INTERVAL_MS).toBe(30_000)
})
