import type { RubricProblem } from '@assay/shared/rubrics.ts'
import { useState } from 'react'
import { useAnnounce } from '../../../components/feedback/Announcer.tsx'
import { closeGap, gapOf, insertQuestion, splitQuestion } from '../rubric-fixes.ts'
import type { RubricDraft } from '../useRubricDraft.ts'
import { FixButton } from './FixButton.tsx'
import { SplitQuestionModal } from './SplitQuestionModal.tsx'

/** A missing number is the next question's, is hidden in the text of the one before, or was not read at all. */
export function GapFixes({ problem, draft }: { problem: RubricProblem; draft: RubricDraft }) {
  const { rubric, update } = draft
  const announce = useAnnounce()
  const [splitting, setSplitting] = useState(false)
  const gap = gapOf(rubric, problem)
  if (!gap) return null
  const { missing, at, before } = gap
  const whole = before?.prompt.includes('\n') ? before : null
  return (
    <>
      <FixButton
        onClick={() => {
          update((now) => closeGap(now, gap))
          announce(`Question ${at.number} is now question ${missing}.`)
        }}
      >
        Renumber {at.number} to {missing}
      </FixButton>
      {whole && <FixButton onClick={() => setSplitting(true)}>Split question {whole.number}…</FixButton>}
      <FixButton
        onClick={() => {
          update((now) => insertQuestion(now, missing, at))
          announce(`Question ${missing} added.`)
        }}
      >
        Add question {missing}
      </FixButton>
      {whole && (
        <SplitQuestionModal
          opened={splitting}
          close={() => setSplitting(false)}
          question={whole}
          number={missing}
          split={(line) => {
            update((now) => splitQuestion(now, whole.id, line, missing))
            announce(`Question ${whole.number} split; the rest is question ${missing}.`)
          }}
        />
      )}
    </>
  )
}
