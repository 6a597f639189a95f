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

/** Makes the server fail, and shows the error as any screen would. */
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
      <Panel title="Server errors">
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
          {!failing.sending && !failing.error && <p className={classes.dim}>No error yet.</p>}
        </div>
      </Panel>
      <Panel title="Other variants">
        <p>Shows the error above, or else a server error, in its other variants.</p>
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

/** Outside React. */
function throwOutside() {
  setTimeout(() => {
    throw new Error('Test error: script')
  })
}

async function rejectOutside(): Promise<never> {
  throw ApiError.of('rate_limit_exceeded')
}
