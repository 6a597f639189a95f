import { completionSocketPath, PING_SOCKET_PATH, SocketMessage } from '@assay/shared/realtime.ts'
import { Button, NativeSelect, Textarea } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { ConnectionState } from '../../lib/api/realtime.ts'
import { tokenStore } from '../../lib/session/browser-store.ts'
import { useSession } from '../../lib/session/session.tsx'
import { RawSocket } from './raw-socket.ts'
import classes from './TestPage.module.css'

interface Entry {
  id: number
  way: 'in' | 'out' | 'note'
  text: string
}

const MAX_ENTRIES = 200
const directionSymbols = { in: '←', out: '→', note: '·' } as const

function addressOf(path: string): string {
  const url = new URL(path, window.location.href.replace(/^http/, 'ws'))
  url.search = ''
  const token = tokenStore.get()
  if (token) url.searchParams.set('token', token)
  return url.href
}

/** A message as it was typed; null where it is none. */
function readMessage(text: string): SocketMessage | null {
  try {
    return SocketMessage.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

export function SocketTester() {
  const session = useSession()
  const userId = session.status === 'signedIn' ? session.user.id : null
  const [path, setPath] = useState(PING_SOCKET_PATH)
  const [state, setState] = useState<ConnectionState>('disconnected')
  const [log, setLog] = useState<Entry[]>([])
  const [text, setText] = useState('{"type": "ping"}')
  const [invalid, setInvalid] = useState(false)
  const socket = useRef<RawSocket | null>(null)
  const lastId = useRef(0)
  useEffect(() => () => socket.current?.disconnect(), [])

  function connect() {
    socket.current?.disconnect()
    socket.current = new RawSocket(() => addressOf(path), {
      state: setState,
      note(way, text) {
        const entry = { id: ++lastId.current, way, text }
        setLog((entries) => [...entries.slice(1 - MAX_ENTRIES), entry])
      },
    })
    socket.current.connect()
  }

  function send(event: FormEvent) {
    event.preventDefault()
    const message = readMessage(text)
    setInvalid(!message)
    if (message) socket.current?.send(message)
  }

  const idle = state === 'disconnected' || state === 'error'
  return (
    <>
      <div className={classes.form}>
        <NativeSelect
          className={classes.wide}
          label="Path"
          value={path}
          disabled={!idle}
          data={[PING_SOCKET_PATH, ...(userId ? [completionSocketPath(userId)] : [])]}
          onChange={(event) => setPath(event.currentTarget.value)}
        />
        <Button size="sm" disabled={!idle} onClick={connect}>
          Connect
        </Button>
        <Button size="sm" variant="default" disabled={idle} onClick={() => socket.current?.disconnect()}>
          Disconnect
        </Button>
      </div>
      <p role="status">
        Status: <strong>{state}</strong>
      </p>
      <form className={classes.form} onSubmit={send}>
        <Textarea
          className={classes.wide}
          label="Message (JSON)"
          autosize
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setInvalid(false)
          }}
          error={invalid ? 'Send a JSON object with a type, such as {"type": "ping"}.' : undefined}
        />
        <Button type="submit" size="sm" disabled={state !== 'connected'}>
          Send Message
        </Button>
      </form>
      <div className={classes.log} role="log" aria-label="Messages">
        {log.length === 0 && <p>No messages yet.</p>}
        {log.map(({ id, way, text }) => (
          <p key={id} data-way={way}>
            {directionSymbols[way]} {text}
          </p>
        ))}
      </div>
    </>
  )
}
