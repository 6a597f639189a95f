import { Button } from '@mantine/core'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { plural } from '../../../lib/format.ts'
import type { GradingProcess } from '../grading-run/useGradingProcess.ts'

export function FailedNotice({ papers, process }: { papers: number; process: GradingProcess }) {
  if (papers === 0) return null
  return (
    <Notice
      tone="warn"
      title={`${plural(papers, 'paper')} could not be read or graded`}
      actions={<Button onClick={() => void process.start()}>Try again</Button>}
    >
      The list says why. The other papers are graded.
    </Notice>
  )
}
