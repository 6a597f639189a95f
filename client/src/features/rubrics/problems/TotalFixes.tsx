import type { RubricProblem } from '@assay/shared/rubrics.ts'
import { useState } from 'react'
import type { RubricDraft } from '../useRubricDraft.ts'
import { FixButton } from './FixButton.tsx'
import { PointsFields } from './PointsFields.tsx'

/** The points of the questions whose sum is wrong. */
export function TotalFixes({ problem, draft }: { problem: RubricProblem; draft: RubricDraft }) {
  const { questions, printed_totals = [] } = draft.rubric
  const [shown, setShown] = useState(false)
  if (!shown) return <FixButton onClick={() => setShown(true)}>Set points…</FixButton>
  const total = printed_totals.find(({ number }) => problem.id.startsWith(`points_total/${number ?? ''}/`))
  const own = total?.number ? questions.filter(({ id }) => total.question_ids.includes(id)) : questions
  return <PointsFields questions={own} draft={draft} label="Points of these questions" />
}
