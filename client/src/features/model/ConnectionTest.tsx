import { type ModelCheck, ModelTestStep } from '@assay/shared/model.ts'
import { Button, Loader } from '@mantine/core'
import { useRef } from 'react'
import { Notice } from '../../components/Notice.tsx'
import panel from '../../components/Panel.module.css'
import { Panel, PanelList } from '../../components/Panel.tsx'
import { StatusMark } from '../../components/StatusMark.tsx'
import classes from './Model.module.css'
import { checkMarks, checkTitles, stepWords } from './model-words.ts'
import { type ConnectionTesting, type RunStep, useConnectionTest } from './useConnectionTest.ts'

interface Props {
  run: RunStep
  /** What is tested. */
  about: string
}

/** Asks the model a few things, and tells what became of each as it comes. */
export function ConnectionTest({ run, about }: Props) {
  const testing = useConnectionTest(run)
  const again = useRef<HTMLButtonElement>(null)
  const { step, told, start, stop } = testing
  return (
    <Panel
      title="Connection"
      actions={
        <div className={classes.buttons}>
          {step && (
            <Button
              variant="default"
              onClick={() => {
                stop()
                // It goes away under the finger.
                again.current?.focus()
              }}
            >
              Stop
            </Button>
          )}
          <Button
            ref={again}
            variant="default"
            // Not disabled: it keeps the focus while it waits, and takes it back from Stop.
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
        <Summary {...testing} />
      </p>
      {told?.failed && <Notice tone="bad">{told.failed}</Notice>}
      {told && (step !== null || told.tests.length > 0 || told.stopped) && <Results {...testing} />}
    </Panel>
  )
}

function Summary({ step, told, checks }: ConnectionTesting) {
  if (step) {
    const number = ModelTestStep.options.indexOf(step) + 1
    return `Step ${number} of ${ModelTestStep.options.length}: ${stepWords[step]}…`
  }
  if (!told) return null
  const [test] = told.tests
  const name = test && (
    <>
      <strong>{test.name}</strong> at {test.host}:{' '}
    </>
  )
  if (told.stopped)
    return (
      <>
        {name}
        {name ? 'stopped' : 'Stopped'}. The provider may charge for a question that was under way.
      </>
    )
  if (!test) return null
  const failed = checks.some(({ outcome }) => outcome === 'failed')
  return (
    <>
      {name}
      {failed ? 'not everything works.' : 'everything that was tried works.'}
    </>
  )
}

function Results({ checks, step, told }: ConnectionTesting) {
  const rest = ModelTestStep.options.filter((one) => !checks.some(({ check }) => check === one))
  // What was not come to after a failed call is told by the failure.
  const shown = told?.failed ? [] : rest
  return (
    <PanelList label="What was tried">
      {checks.filter(({ check }) => isStep(check)).map((check) => row(check))}
      {shown.map((one) => (
        <li key={one} className={classes.row}>
          <div className={classes.words}>
            <span className={classes.title}>{checkTitles[one]}</span>
            <span className={classes.dim}>
              {one === step
                ? 'Waiting for the answer…'
                : told?.stopped
                  ? 'Not tried: stopped.'
                  : 'Comes after that.'}
            </span>
          </div>
          {one === step ? (
            <Loader size={16} aria-hidden />
          ) : (
            <StatusMark status="pending">Not tried</StatusMark>
          )}
        </li>
      ))}
      {checks.filter(({ check }) => !isStep(check)).map((check) => row(check))}
    </PanelList>
  )
}

const isStep = (check: ModelCheck['check']) => ModelTestStep.options.some((one) => one === check)

const row = ({ check, outcome, message }: ModelCheck) => (
  <li key={check} className={classes.row}>
    <div className={classes.words}>
      <span className={classes.title}>{checkTitles[check]}</span>
      <span>{message}</span>
    </div>
    <StatusMark status={checkMarks[outcome].status}>{checkMarks[outcome].word}</StatusMark>
  </li>
)
