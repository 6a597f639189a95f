import type { ModelTest } from '@assay/shared/model.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Notice } from '../../components/Notice.tsx'
import { Panel, PanelList } from '../../components/Panel.tsx'
import { StatusMark } from '../../components/StatusMark.tsx'
import { asApiError, messageOf } from '../../lib/api-error.ts'
import classes from './Model.module.css'
import { checkMarks, checkTitles } from './model-words.ts'

interface Props {
  /** Null when what stands in the fields cannot be tested, which is said there. */
  run: () => Promise<ModelTest | null>
  sending: boolean
  /** What is tested. */
  about: string
}

/** Asks the model a few things, and tells what became of each. */
export function ConnectionTest({ run, sending, about }: Props) {
  const [told, setTold] = useState<{ test: ModelTest } | { failed: string } | null>(null)

  async function start() {
    setTold(null)
    try {
      const test = await run()
      if (test) setTold({ test })
    } catch (cause) {
      const atFields = Object.keys(asApiError(cause).fields).length > 0
      setTold({
        failed: atFields
          ? 'Nothing was tested. Please correct the marked fields.'
          : messageOf(cause, 'The test could not be made. Please try again.'),
      })
    }
  }

  return (
    <Panel
      title="Connection"
      actions={
        <Button variant="default" loading={sending} onClick={() => void start()}>
          Test connection
        </Button>
      }
    >
      <p className={classes.about}>{about}</p>
      <div role="status">{sending && <p className={classes.about}>Asking the model three things…</p>}</div>
      {told && 'failed' in told && <Notice tone="bad">{told.failed}</Notice>}
      {told && 'test' in told && <Results test={told.test} />}
    </Panel>
  )
}

function Results({ test }: { test: ModelTest }) {
  const failed = test.checks.filter(({ outcome }) => outcome === 'failed').length
  return (
    <>
      <p className={classes.about} role="status">
        <strong>{test.name}</strong> at {test.host}:{' '}
        {failed === 0 ? 'everything that was tried works.' : 'not everything works.'}
      </p>
      <PanelList label="What was tried">
        {test.checks.map(({ check, outcome, message }) => (
          <li key={check} className={classes.row}>
            <div className={classes.words}>
              <span className={classes.title}>{checkTitles[check]}</span>
              <span>{message}</span>
            </div>
            <StatusMark status={checkMarks[outcome].status}>{checkMarks[outcome].word}</StatusMark>
          </li>
        ))}
      </PanelList>
    </>
  )
}
