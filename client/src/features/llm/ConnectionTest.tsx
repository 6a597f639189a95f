import { type LlmCheck, type LlmTest, type LlmTestStep, llmTestSteps } from '@assay/shared/llm/llm.ts'
import { speedAndCost } from '@assay/shared/rules/llm-test-checks.ts'
import { Button, Loader } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { SecondaryButton } from '../../components/display/buttons.tsx'
import { StatusBadge } from '../../components/display/StatusBadge.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { Panel, PanelList } from '../../components/layout/Page.tsx'
import panel from '../../components/layout/Panel.module.css'
import { asApiError, messageOf } from '../../lib/api/api-error.ts'
import classes from './Llm.module.css'
import { checkStatuses, checkTitles, stepLabels } from './llm-labels.ts'

export function ConnectionTest({ run, about }: { run: RunStep; about: string }) {
  const testing = useConnectionTest(run)
  const again = useRef<HTMLButtonElement>(null)
  const { step, progress, start, stop } = testing
  return (
    <Panel
      title="Connection"
      actions={
        <div className="centered-row">
          {step && (
            <SecondaryButton
              onClick={() => {
                stop()
                again.current?.focus()
              }}
            >
              Stop
            </SecondaryButton>
          )}
          <Button
            ref={again}
            variant="default"
            // Not disabled, so that it keeps the focus while it waits.
            aria-disabled={step !== null}
            data-disabled={step !== null || undefined}
            onClick={() => step === null && start()}
          >
            Test connection
          </Button>
        </div>
      }
    >
      <p className={panel.about}>{about}</p>
      <p className={panel.about} role="status">
        <TestSummary {...testing} />
      </p>
      {progress?.failed && <Notice tone="bad">{progress.failed}</Notice>}
      {progress && (step !== null || progress.tests.length > 0 || progress.stopped) && <TestResults {...testing} />}
    </Panel>
  )
}

function TestSummary({ step, progress, checks }: ConnectionTestState) {
  if (step) {
    const number = llmTestSteps.indexOf(step) + 1
    return `Step ${number} of ${llmTestSteps.length}: ${stepLabels[step]}…`
  }
  if (!progress) return null
  const [test] = progress.tests
  const name = test && (
    <>
      <strong>{test.name}</strong> at {test.host}:{' '}
    </>
  )
  if (progress.stopped)
    return (
      <>
        {name}
        {name ? 'stopped' : 'Stopped'}. The provider may charge for the request in progress.
      </>
    )
  if (!test) return null
  const failed = checks.some(({ outcome }) => outcome === 'failed')
  return (
    <>
      {name}
      {failed ? 'some checks failed.' : 'all checks passed.'}
    </>
  )
}

function TestResults({ checks, step, progress }: ConnectionTestState) {
  const rest = llmTestSteps.filter((one) => !checks.some(({ check }) => check === one))
  const shown = progress?.failed ? [] : rest
  return (
    <PanelList label="Checks">
      {checks.filter(({ check }) => isStep(check)).map((check) => checkRow(check))}
      {shown.map((one) => (
        <li key={one} className={classes.row}>
          <div className={classes.words}>
            <span className={classes.title}>{checkTitles[one]}</span>
            <span className="dim">
              {one === step
                ? 'Waiting for the answer…'
                : progress?.stopped
                  ? 'Not run: the test was stopped.'
                  : 'Runs next.'}
            </span>
          </div>
          {one === step ? <Loader size={16} aria-hidden /> : <StatusBadge status="pending">Not run</StatusBadge>}
        </li>
      ))}
      {checks.filter(({ check }) => !isStep(check)).map((check) => checkRow(check))}
    </PanelList>
  )
}

const isStep = (check: LlmCheck['check']) => llmTestSteps.some((one) => one === check)

const checkRow = ({ check, outcome, message }: LlmCheck) => (
  <li key={check} className={classes.row}>
    <div className={classes.words}>
      <span className={classes.title}>{checkTitles[check]}</span>
      <span>{message}</span>
    </div>
    <StatusBadge status={checkStatuses[outcome].status}>{checkStatuses[outcome].word}</StatusBadge>
  </li>
)

/** Null when the fields' values cannot be tested, which is shown there. */
type RunStep = (only: LlmTestStep, signal: AbortSignal) => Promise<LlmTest | null>

interface TestProgress {
  tests: LlmTest[]
  failed: string | null
  stopped: boolean
}

type ConnectionTestState = ReturnType<typeof useConnectionTest>

function useConnectionTest(run: RunStep) {
  const [step, setStep] = useState<LlmTestStep | null>(null)
  const [progress, setProgress] = useState<TestProgress | null>(null)
  const under = useRef<AbortController | null>(null)
  useEffect(() => () => under.current?.abort(), [])

  async function start() {
    const stop = new AbortController()
    under.current = stop
    const { signal } = stop
    const tests: LlmTest[] = []
    const report = (more: Partial<TestProgress> = {}) =>
      setProgress({ tests: [...tests], failed: null, stopped: false, ...more })
    report()
    try {
      for (const next of llmTestSteps) {
        // A failed step may have made later ones useless.
        if (tests.some(({ checks }) => checks.some(({ check }) => check === next))) continue
        setStep(next)
        const test = await run(next, signal)
        if (!test) return setProgress(null)
        tests.push(test)
        report()
      }
    } catch (cause) {
      if (signal.aborted) return report({ stopped: true })
      const atFields = Object.keys(asApiError(cause).fields).length > 0
      report({
        failed: atFields
          ? 'Nothing was tested. Please correct the marked fields.'
          : messageOf(cause, 'The test could not be started. Please try again.'),
      })
    } finally {
      setStep(null)
    }
  }

  const done = progress && step === null ? speedAndCost(progress.tests) : []
  return {
    step,
    progress,
    checks: [...(progress?.tests ?? []).flatMap(({ checks }) => checks), ...done],
    start: () => void start(),
    stop: () => under.current?.abort(),
  }
}
