import { Button } from '@mantine/core'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { plural } from '../../../lib/format.ts'
import { useGradeByHand } from '../useGradeByHand.ts'

export function ByHandNotice({ assignmentId, papers }: { assignmentId: number; papers: number }) {
  const gradeByHand = useGradeByHand(assignmentId)
  if (papers === 0) return null
  return (
    <Notice
      tone="warn"
      title={`${plural(papers, 'paper has', 'papers have')} answers to grade by hand`}
      actions={<Button onClick={() => void gradeByHand()}>Grade by hand</Button>}
    >
      These answers couldn’t be found or read, or are of a kind that only you can grade. Students see no total until you
      do.
    </Notice>
  )
}
