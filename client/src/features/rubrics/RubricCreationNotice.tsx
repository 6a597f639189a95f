import { type CurrentRubric, type RubricMaking, stopMakingRubric } from '@assay/shared/rubric-endpoints.ts'
import { Button } from '@mantine/core'
import { Notice } from '../../components/feedback/Notice.tsx'
import { messageOf } from '../../lib/api/api-error.ts'
import { useSend } from '../../lib/api/api-hooks.ts'
import { toast } from '../../lib/toast.ts'

/** What is being done to make the rubric, and Stop. */
export function RubricCreationNotice(props: {
  assignmentId: number
  making: RubricMaking
  /** Of the rubric that stood while it was made. */
  version: number
  stopped: (current: CurrentRubric) => void
}) {
  const { assignmentId, making, version, stopped } = props
  const stop = useSend(stopMakingRubric)
  async function end() {
    try {
      const current = await stop.send({ params: { assignmentId } })
      stopped(current)
      if (current.version !== version) toast.info('The new rubric was finished before it could be stopped.')
      else if (!current.making)
        toast.info(`Stopped. ${current.rubric ? 'The rubric below is still current.' : ''}`.trim())
    } catch (error) {
      toast.error(messageOf(error, 'Rubric creation could not be stopped.'))
    }
  }
  return (
    <Notice
      busy
      actions={
        <Button variant="default" size="xs" loading={stop.sending} onClick={() => void end()}>
          Stop
        </Button>
      }
    >
      {making.message}…
    </Notice>
  )
}
