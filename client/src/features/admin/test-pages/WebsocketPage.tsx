import {
  completionSocketPath,
  MAX_RECONNECTS,
  PING_INTERVAL_MS,
  PING_SOCKET_PATH,
  RECONNECT_DELAY_MS,
  SocketMessage,
} from '@assay/shared/realtime.ts'
import { parseJson } from '@assay/shared/rules/parse-json.ts'
import { fireTestCompletion } from '@assay/shared/test-pages.ts'
import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { SecondaryButton } from '../../../components/display/buttons.tsx'
import { ErrorNotice, Notice } from '../../../components/feedback/Notice.tsx'
import { Page, PageHeader, Panel } from '../../../components/layout/Page.tsx'
import { useSend } from '../../../lib/api/api-hooks.ts'
import type { ConnectionState } from '../../../lib/api/realtime.ts'
import { useContractForm } from '../../../lib/forms/useContractForm.ts'
import { tokenStore } from '../../../lib/session/browser-store.ts'
import { useSession } from '../../../lib/session/session.tsx'
import classes from './TestPage.module.css'
import { TestPagesGuard } from './TestPagesGuard.tsx'

export function WebsocketPage() {
  return (
    <TestPagesGuard>
      <Page width="standard">
        <PageHeader
          title="Websocket Tester"
          subtitle={
            <>
              For developers. See also <Link to="/test/error-boundaries">the error boundaries</Link>.
            </>
          }
        />
        <div className={classes.panels}>
          <Panel title="Connection">
            <SocketTester />
          </Panel>
          <Panel title="Test notification">
            <CompletionTester />
          </Panel>
        </div>
      </Page>
    </TestPagesGuard>
  )
}

interface Entry {
  id: number
  way: 'in' | 'out' | 'note'
  text: string
}

type Note = (way: Entry['way'], text: string) => void

const MAX_ENTRIES = 200
const directionSymbols = { in: '←', out: '→', note: '·' } as const

function addressOf(path: string): string {
  const url = new URL(path, window.location.href.replace(/^http/, 'ws'))
  url.search = ''
  const token = tokenStore.get()
  if (token) url.searchParams.set('token', token)
  return url.href
}

function readMessage(text: string): SocketMessage | null {
  return SocketMessage.safeParse(parseJson(text)).data ?? null
}

function SocketTester() {
  const session = useSession()
  const userId = session.status === 'signedIn' ? session.user.id : null
  const [path, setPath] = useState(PING_SOCKET_PATH)
  const [state, setState] = useState<ConnectionState>('disconnected')
  const [log, setLog] = useState<Entry[]>([])
  const [text, setText] = useState('{"type": "ping"}')
  const [invalid, setInvalid] = useState(false)
  const socket = useRef<ReturnType<typeof openRawSocket>>(null)
  const lastId = useRef(0)
  useEffect(() => () => socket.current?.disconnect(), [])

  function connect() {
    socket.current?.disconnect()
    socket.current = openRawSocket(
      () => addressOf(path),
      setState,
      (way, text) => {
        const entry = { id: ++lastId.current, way, text }
        setLog((entries) => [...entries.slice(1 - MAX_ENTRIES), entry])
      },
    )
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
        <SecondaryButton size="sm" disabled={idle} onClick={() => socket.current?.disconnect()}>
          Disconnect
        </SecondaryButton>
      </div>
      <p role="status">
        Status: <strong>{state}</strong>
      </p>
      <form className={classes.form} onSubmit={send}>
        <Textarea
          className={classes.wide}
          label="Message (JSON)"
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

/** RFC 6455, 7.4.1: normal closure. */
const NORMAL = 1000

/** Tries again as the product's own connection does, until it is left. */
function openRawSocket(address: () => string, setState: (state: ConnectionState) => void, note: Note) {
  let socket: WebSocket
  let tries = 0
  let isLeft = false
  let again: ReturnType<typeof setTimeout> | undefined
  let pings: ReturnType<typeof setInterval> | undefined

  function connect() {
    setState('connecting')
    socket = new WebSocket(address())
    socket.onopen = () => {
      tries = 0
      setState('connected')
      note('note', 'Connected')
      pings = setInterval(() => send({ type: 'ping' }), PING_INTERVAL_MS)
    }
    socket.onmessage = ({ data }) => note('in', String(data))
    socket.onclose = ({ code, reason }) => closed(code, reason)
  }

  function send(message: SocketMessage) {
    const text = JSON.stringify(message)
    socket.send(text)
    note('out', text)
  }

  function disconnect() {
    clearTimeout(again)
    isLeft = true
    socket.close(NORMAL)
    // Between two attempts there is none to close.
    if (socket.readyState === WebSocket.CLOSED) setState('disconnected')
  }

  function closed(code: number, reason: string) {
    clearInterval(pings)
    note('note', `Closed with ${code}${reason ? `: ${reason}` : ''}`)
    // Left while still connecting, the browser calls it abnormal.
    if (code === NORMAL || isLeft) return setState('disconnected')
    if (tries >= MAX_RECONNECTS) return setState('error')
    const wait = RECONNECT_DELAY_MS * 2 ** tries++
    setState('connecting')
    note('note', `Reconnecting in ${wait / 1000} s, ${tries} of ${MAX_RECONNECTS}`)
    again = setTimeout(connect, wait)
  }

  connect()
  return { send, disconnect }
}

const NOT_A_NUMBER = 'Enter a whole number above 0'
const wholeNumber = (text: string) => (/^[1-9]\d{0,14}$/.test(text.trim()) ? Number(text) : null)

function CompletionTester() {
  const session = useSession()
  if (session.status !== 'signedIn') return <Notice>Sign in to send yourself a notification.</Notice>
  return <Form ownId={session.user.id} />
}

function Form({ ownId }: { ownId: number }) {
  const { send } = useSend(fireTestCompletion)
  const [message, setMessage] = useState('')
  const form = useContractForm(
    { body: fireTestCompletion.query },
    {
      initialValues: { user: String(ownId), assignment: '1', title: 'Test assignment' },
      toBody: ({ assignment, title }) => ({
        assignment_id: wholeNumber(assignment),
        assignment_title: title.trim() || undefined,
      }),
      names: { assignment_id: 'assignment', assignment_title: 'title', userId: 'user' },
      check: ({ user, assignment }) => ({
        ...(wholeNumber(user) ? {} : { user: NOT_A_NUMBER }),
        ...(wholeNumber(assignment) ? {} : { assignment: NOT_A_NUMBER }),
      }),
      checkAsTyped: true,
    },
  )
  const submit = form.submit(async (_, { user, assignment, title }) => {
    const [userId, assignment_id] = [wholeNumber(user), wholeNumber(assignment)]
    if (!userId || !assignment_id) return
    setMessage('')
    const query = { assignment_id, ...(title.trim() ? { assignment_title: title } : {}) }
    setMessage((await send({ params: { userId }, query })).message)
  })

  return (
    <form onSubmit={submit} noValidate>
      <div className={classes.form}>
        <TextInput label="User ID" inputMode="numeric" {...form.getInputProps('user')} />
        <TextInput label="Assignment ID" inputMode="numeric" {...form.getInputProps('assignment')} />
        <TextInput label="Assignment title" maxLength={200} {...form.getInputProps('title')} />
        <Button
          type="submit"
          size="sm"
          loading={form.submitting}
          disabled={!wholeNumber(form.values.user) || !wholeNumber(form.values.assignment)}
        >
          Send Test Notification
        </Button>
      </div>
      <div className={classes.stage} role="status">
        {message}
      </div>
      <ErrorNotice error={form.failure} fallback="The notification could not be sent." />
    </form>
  )
}
