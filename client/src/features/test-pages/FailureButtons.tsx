import { FailureKind, failOnPurpose } from '@assay/shared/test-pages.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Panel } from '../../components/layout/Panel.tsx'
import { ErrorDetails } from '../../errors/ErrorDetails.tsx'
import { ErrorModal } from '../../errors/ErrorModal.tsx'
import { ApiError } from '../../lib/api/api-error.ts'
import { useSend } from '../../lib/api/api-hooks.ts'
import { toast } from '../../lib/toast.ts'
import classes from './TestPage.module.css'

/** Asks the server to fail, and shows the failure as any screen would. */
export function FailureButtons() {
  const failing = useSend(failOnPurpose)
  const [last, setLast] = useState<FailureKind>('409')
  const [modal, setModal] = useState<ApiError | null>(null)
  const fail = async (kind: FailureKind) => {
    setLast(kind)
    // It is shown below.
    await failing.send({ params: { kind } }).catch(() => undefined)
  }
  const sample = failing.error ?? ApiError.of('service_unavailable')
  return (
    <>
      <Panel title="Failures of the server">
        <div className={classes.buttons}>
          {FailureKind.options.map((kind) => (
            <Button key={kind} variant="default" onClick={() => void fail(kind)}>
              {kind}
            </Button>
          ))}
        </div>
        <div className={classes.stage}>
          {failing.sending && <p role="status">Waiting for the server…</p>}
          {failing.error && <ErrorDetails error={failing.error} retry={() => fail(last)} variant="inline" />}
          {!failing.sending && !failing.error && <p className={classes.dim}>Nothing has failed.</p>}
        </div>
      </Panel>
      <Panel title="The other variants">
        <p>The failure above, or a server error where there is none, in the other ways it can be shown.</p>
        <div className={classes.buttons}>
          <Button variant="default" onClick={() => setModal(sample)}>
            Modal
          </Button>
          <Button variant="default" onClick={() => toast.apiError(sample)}>
            Toast
          </Button>
          <Button variant="default" onClick={throwOutside}>
            Script error
          </Button>
          <Button variant="default" onClick={() => void rejectOutside()}>
            Unhandled rejection
          </Button>
        </div>
        <ErrorModal error={modal} close={() => setModal(null)} />
      </Panel>
    </>
  )
}

/** Outside of everything React sees. */
function throwOutside() {
  setTimeout(() => {
    throw new Error('A test page asked for this failure: script')
  })
}

async function rejectOutside(): Promise<never> {
  throw ApiError.of('rate_limit_exceeded')
}
