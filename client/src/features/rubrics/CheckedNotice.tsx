import { type CurrentRubric, checkRubric } from '@assay/shared/rubric-endpoints.ts'
import { Button } from '@mantine/core'
import { Notice } from '../../components/feedback/Notice.tsx'
import { messageOf } from '../../lib/api/api-error.ts'
import { useRevalidate, useSend } from '../../lib/api/api-hooks.ts'
import { formatDateTime } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'

interface Props {
  assignmentId: number
  current: CurrentRubric
  put: (current: CurrentRubric) => void
}

/** Who confirmed the rubric, and the way back. */
export function CheckedNotice({ assignmentId, current: { checked, version }, put }: Props) {
  const check = useSend(checkRubric)
  const refresh = useRevalidate()
  if (!checked) return null
  async function undo() {
    try {
      put(await check.send({ params: { assignmentId }, body: { version, checked: false } }))
      void refresh(`/assignments/${assignmentId}`)
    } catch (error) {
      toast.error(messageOf(error, 'The confirmation could not be undone.'))
    }
  }
  return (
    <Notice
      title="Rubric checked"
      actions={
        <Button variant="default" size="xs" loading={check.sending} onClick={() => void undo()}>
          Undo Confirmation
        </Button>
      }
    >
      Confirmed{checked.by_name && ` by ${checked.by_name}`}, {formatDateTime(checked.at)}.
    </Notice>
  )
}
