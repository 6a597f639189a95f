import { PING_INTERVAL_MS } from '@assay/shared/realtime.ts'
import { act, render, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { useAssignmentEvents } from './realtime.ts'

vi.unmock('./realtime.ts')
type Reply = (allowed: boolean, unchangedMs?: number) => void
const opened = vi.hoisted(() => ({
  options: [] as unknown[],
  onConnect: new Set<() => void>(),
  replies: [] as Reply[],
}))
vi.mock('socket.io-client', () => ({
  io: (options: unknown) => {
    opened.options.push(options)
    const nothing = () => {}
    return {
      on: (name: string, hear: () => void) => name === 'connect' && opened.onConnect.add(hear),
      off: (_name: string, hear: () => void) => opened.onConnect.delete(hear),
      emit: (name: string, _id: number, reply: Reply) => name === 'watch_assignment' && opened.replies.push(reply),
      onAny: nothing,
      offAny: nothing,
      disconnect: nothing,
      connected: false,
      io: { on: nothing },
    }
  },
}))

const handlers = {}
const nothing = () => {}
function Watching({ onReturn = nothing }: { onReturn?: () => void }) {
  return <p>{useAssignmentEvents(5, handlers, onReturn)}</p>
}

/** Draws a watching screen; returns a way to let its connection come after so long without a change. */
async function watching() {
  const onReturn = vi.fn()
  const before = new Set(opened.onConnect)
  render(<Watching onReturn={onReturn} />)
  const own = () => [...opened.onConnect].filter((hear) => !before.has(hear))
  // The connection's own, where it is new, and the screen's.
  await waitFor(() => expect(own().length).toBeGreaterThan(before.size === 0 ? 1 : 0))
  const connect = (unchangedMs: number) =>
    act(() => {
      for (const hear of own()) hear()
      opened.replies.at(-1)?.(true, unchangedMs)
    })
  return { onReturn, connect }
}

it('reconnects five times, from a second on, and is pinged every 30 seconds', async () => {
  const view = render(<Watching />)
  await waitFor(() => expect(opened.options).toHaveLength(1))
  expect(view.container.textContent).toBe('connecting')
  expect(opened.options[0]).toMatchObject({ path: '/socket.io', reconnectionAttempts: 5, reconnectionDelay: 1000 })
  // The server's part: `server/src/features/realtime/realtime.ts`.
  expect(PING_INTERVAL_MS).toBe(30_000)
})

it('asks again for what it shows after each connection, but not after the first if nothing has changed since it asked', async () => {
  const { onReturn, connect } = await watching()
  connect(60_000)
  expect(onReturn).not.toHaveBeenCalled()
  connect(60_000)
  expect(onReturn).toHaveBeenCalledTimes(1)
})

it('asks again after the first connection when something has changed since it asked', async () => {
  const { onReturn, connect } = await watching()
  connect(0)
  expect(onReturn).toHaveBeenCalledTimes(1)
})
