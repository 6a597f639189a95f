import { Button } from '@mantine/core'
import { LinkButton } from '../../components/display/buttons.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { plural } from '../../lib/format.ts'
import { submissionsPath } from '../../paths.ts'
import type { GradingProcess } from '../runs/ProcessDialog.tsx'

interface Props {
  assignmentId: number
  outdated: number
  process: GradingProcess
  shown?: boolean
}

export function OutdatedNotice({ assignmentId, outdated, process, shown = false }: Props) {
  if (outdated === 0) return null
  return (
    <Notice
      tone="warn"
      title={`${plural(outdated, 'grade was', 'grades were')} based on an earlier rubric`}
      actions={
        <>
          <Button loading={process.starting} onClick={() => void process.start({ outdated: true })}>
            Regrade outdated
          </Button>
          {!shown && <LinkButton to={`${submissionsPath(assignmentId)}?status=outdated`}>Show outdated</LinkButton>}
        </>
      }
    >
      Only changed questions are regraded. The rest of each grade and the scores you gave are kept.
    </Notice>
  )
}
