import { FailureKind, failOnPurpose } from '@assay/shared/test-pages.ts'
import { Button, NativeSelect } from '@mantine/core'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { SecondaryButton } from '../../../components/display/buttons.tsx'
import { StatusBadge } from '../../../components/display/StatusBadge.tsx'
import { Page, PageHeader, Panel } from '../../../components/layout/Page.tsx'
import { ErrorDetails } from '../../../errors/ErrorDetails.tsx'
import { ErrorModal } from '../../../errors/ErrorModal.tsx'
import type { RetryStrategy } from '../../../errors/retry-policy.ts'
import { ComponentErrorBoundary, SmartErrorBoundary } from '../../../errors/SmartErrorBoundary.tsx'
import { ApiError } from '../../../lib/api/api-error.ts'
import { useSend } from '../../../lib/api/api-hooks.ts'
import { lazyComponent } from '../../../lib/loading/lazy-component.tsx'
import { toast } from '../../../lib/toast.ts'
import classes from './TestPage.module.css'
import { TestPagesGuard } from './TestPagesGuard.tsx'

export function ErrorBoundariesPage() {
  return (
    <TestPagesGuard>
      <Page width="standard">
        <PageHeader
          title="Error Boundaries"
          subtitle={
            <>
              For developers. See also <Link to="/test/websocket">the websocket tester</Link>.
            </>
          }
        />
        <div className={classes.panels}>
          <BoundaryDemo />
          <FailureButtons />
          <BoundarySuite />
        </div>
      </Page>
    </TestPagesGuard>
  )
}

const errorTypes = ['render', 'async', 'network', 'chunk', 'validation', 'auth'] as const
type ErrorType = (typeof errorTypes)[number]

const boundaryTypes = ['component', 'smart', 'auth', 'data', 'api', 'file'] as const
type BoundaryType = (typeof boundaryTypes)[number]

const strategies: RetryStrategy[] = ['manual', 'exponential', 'immediate']

function chosen<T extends string>(list: readonly T[], name: string): T | undefined {
  return list.find((one) => one === name)
}

function BoundaryDemo() {
  const [type, setType] = useState<ErrorType>('render')
  const [boundary, setBoundary] = useState<BoundaryType>('component')
  const [strategy, setStrategy] = useState<RetryStrategy>('manual')
  const [round, setRound] = useState(0)
  return (
    <Panel title="Demo">
      <div className={classes.form}>
        <NativeSelect
          label="Error type"
          data={[...errorTypes]}
          value={type}
          onChange={(event) => setType(chosen(errorTypes, event.currentTarget.value) ?? type)}
        />
        <NativeSelect
          label="Boundary type"
          data={[...boundaryTypes]}
          value={boundary}
          onChange={(event) => setBoundary(chosen(boundaryTypes, event.currentTarget.value) ?? boundary)}
        />
        <NativeSelect
          label="Retry strategy"
          data={strategies}
          value={strategy}
          onChange={(event) => setStrategy(chosen(strategies, event.currentTarget.value) ?? strategy)}
        />
        <Button size="sm" onClick={() => setRound(round + 1)}>
          Break it
        </Button>
        <SecondaryButton size="sm" disabled={round === 0} onClick={() => setRound(0)}>
          Reset
        </SecondaryButton>
      </div>
      <div className={classes.stage}>
        {round === 0 ? (
          <p className={classes.dim}>No error yet.</p>
        ) : (
          <BoundaryByType key={`${round} ${type} ${boundary} ${strategy}`} type={boundary} strategy={strategy}>
            <FailingComponent type={type} />
          </BoundaryByType>
        )}
      </div>
    </Panel>
  )
}

function FailureButtons() {
  const failing = useSend(failOnPurpose)
  const [last, setLast] = useState<FailureKind>('409')
  const [modal, setModal] = useState<ApiError | null>(null)
  const fail = async (kind: FailureKind) => {
    setLast(kind)
    await failing.send({ params: { kind } }).catch(() => undefined)
  }
  const sample = failing.error ?? ApiError.of('service_unavailable')
  return (
    <>
      <Panel title="Server errors">
        <div className="button-row">
          {FailureKind.options.map((kind) => (
            <SecondaryButton key={kind} onClick={() => void fail(kind)}>
              {kind}
            </SecondaryButton>
          ))}
        </div>
        <div className={classes.stage}>
          {failing.sending && <p role="status">Waiting for the server…</p>}
          {failing.error && <ErrorDetails error={failing.error} retry={() => fail(last)} variant="inline" />}
          {!failing.sending && !failing.error && <p className={classes.dim}>No error yet.</p>}
        </div>
      </Panel>
      <Panel title="Other variants">
        <p>Shows the error above, or else a server error, in its other variants.</p>
        <div className="button-row">
          <SecondaryButton onClick={() => setModal(sample)}>Modal</SecondaryButton>
          <SecondaryButton onClick={() => toast.apiError(sample)}>Toast</SecondaryButton>
          <SecondaryButton onClick={throwOutside}>Script error</SecondaryButton>
          <SecondaryButton onClick={() => void rejectOutside()}>Unhandled rejection</SecondaryButton>
        </div>
        <ErrorModal error={modal} close={() => setModal(null)} />
      </Panel>
    </>
  )
}

function throwOutside() {
  setTimeout(() => {
    throw new Error('Test error: script')
  })
}

async function rejectOutside(): Promise<never> {
  throw ApiError.of('rate_limit_exceeded')
}

const cases = boundaryTypes.flatMap((boundary) => errorTypes.map((type) => ({ boundary, type })))
const nameOf = ({ boundary, type }: { boundary: BoundaryType; type: ErrorType }) => `${type} in ${boundary}`

const LIMIT_MS = 5000

function BoundarySuite() {
  const [round, setRound] = useState(0)
  const [results, setResults] = useState<Record<string, boolean>>({})
  const done = Object.values(results)
  const passed = done.filter(Boolean).length
  return (
    <Panel
      title="Test suite"
      actions={
        <SecondaryButton
          onClick={() => {
            setResults({})
            setRound(round + 1)
          }}
        >
          Run all {cases.length}
        </SecondaryButton>
      }
    >
      <p role="status">
        {round === 0 && 'Not run yet.'}
        {round > 0 && `${passed} of ${cases.length} passed, ${done.length - passed} failed.`}
      </p>
      {round > 0 && (
        <ul className={classes.results}>
          {cases.map((one) => (
            <li key={`${round} ${nameOf(one)}`}>
              <Case {...one} tell={(good) => setResults((before) => ({ ...before, [nameOf(one)]: good }))} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Case({ boundary, type, tell }: { boundary: BoundaryType; type: ErrorType; tell: (passed: boolean) => void }) {
  const stage = useRef<HTMLDivElement>(null)
  const latest = useRef(tell)
  const [passed, setPassed] = useState<boolean | null>(null)
  useEffect(() => {
    const end = (good: boolean) => {
      looking.disconnect()
      clearTimeout(timer)
      setPassed(good)
      latest.current(good)
    }
    const look = () => {
      const shown = stage.current?.querySelector('[role="alert"] h2')?.textContent
      if (shown !== undefined && shown !== null) end(shown === expectedTitle(boundary, type))
    }
    const looking = new MutationObserver(look)
    const timer = setTimeout(() => end(false), LIMIT_MS)
    if (stage.current) looking.observe(stage.current, { childList: true, subtree: true })
    look()
    return () => {
      looking.disconnect()
      clearTimeout(timer)
    }
  }, [boundary, type])
  return (
    <>
      <span>{nameOf({ boundary, type })}</span>
      {passed === null && <StatusBadge status="pending">Running</StatusBadge>}
      {passed === true && <StatusBadge status="graded">Passed</StatusBadge>}
      {passed === false && <StatusBadge status="failed">Failed</StatusBadge>}
      {/* Hidden, so that a screen reader does not read 36 alerts. */}
      <div ref={stage} hidden>
        <BoundaryByType type={boundary}>
          <FailingComponent type={type} />
        </BoundaryByType>
      </div>
    </>
  )
}

interface Props {
  type: BoundaryType
  strategy?: RetryStrategy
  children: ReactNode
}

/** `smart` is the boundary without a context of its own. */
function BoundaryByType({ type, strategy = 'manual', children }: Props) {
  const inside = <Suspense fallback={<p>Loading…</p>}>{children}</Suspense>
  if (type === 'component') return <ComponentErrorBoundary>{inside}</ComponentErrorBoundary>
  return (
    <SmartErrorBoundary context={type === 'smart' ? 'component' : type} strategy={strategy}>
      {inside}
    </SmartErrorBoundary>
  )
}

const MissingChunk = lazyComponent<object>(() => Promise.reject(createFailure('chunk')))

function FailingComponent({ type }: { type: ErrorType }) {
  if (type === 'async') return <FailsLater />
  if (type === 'chunk') return <MissingChunk />
  throw createFailure(type)
}

function FailsLater() {
  const [error, setError] = useState<Error | null>(null)
  useEffect(() => {
    let over = false
    void Promise.reject(createFailure('async')).catch((cause: Error) => !over && setError(cause))
    return () => {
      over = true
    }
  }, [])
  if (error) throw error
  return <p>Working…</p>
}

function createFailure(type: ErrorType): Error {
  if (type === 'network') return ApiError.of('network_error')
  if (type === 'auth') return ApiError.of('auth_required')
  if (type === 'chunk') return new TypeError('Failed to fetch dynamically imported module')
  if (type === 'validation') {
    const error = ApiError.of('validation_failed')
    error.reply.validation_errors = [{ field: 'name', message: 'Course name is required', constraint: 'too_small' }]
    return error
  }
  return new Error(`Test error: ${type}`)
}

const smartTitles = {
  smart: 'Component Error',
  auth: 'Authentication Error',
  data: 'Data Loading Error',
  api: 'Service Error',
  file: 'File Processing Error',
} as const

function expectedTitle(boundary: BoundaryType, type: ErrorType): string {
  if (boundary !== 'component') return smartTitles[boundary]
  if (type === 'validation') return 'Please Check Your Input'
  if (type === 'auth') return 'Authentication Required'
  return type === 'network' ? 'Error Occurred' : 'System Error'
}
