import type { Grade } from '@assay/shared/grades.ts'
import { letterGrade } from '@assay/shared/rules/letter-grades.ts'
import { Button, Checkbox, Textarea, TextInput } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { Notice } from '../../components/feedback/Notice.tsx'
import { formatPercent } from '../../lib/format.ts'
import { scrollWithinContainer } from '../../lib/scroll-within-container.ts'
import classes from './GradeForm.module.css'
import { AiScore, aiScoreLabel } from './GradeHeader.tsx'
import { parseScore, typedPercent } from './grade-form.ts'
import type { GradeReview } from './useGradeReview.ts'

/** The field is focused once the form has settled (specification, point 9). */
const FOCUS_AFTER_MS = 300

/** The teacher's own score and words. */
export function GradeForm({ review }: { review: GradeReview }) {
  const { grade, draft, errors, change, fields } = review
  const form = useRef<HTMLFormElement>(null)
  const score = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (form.current) scrollWithinContainer(form.current, 20)
    const timer = setTimeout(() => {
      // Who has begun to type elsewhere meanwhile is not interrupted; points stand outside the form.
      const card = form.current?.closest('[data-grade-card]')
      const typing = document.activeElement instanceof HTMLInputElement && card?.contains(document.activeElement)
      if (!typing && !form.current?.contains(document.activeElement)) score.current?.focus({ preventScroll: true })
    }, FOCUS_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])

  const typed = parseScore(draft.score)
  const letter = typed !== null && typed >= 0 && typed <= 100 ? letterGrade(typed) : null
  return (
    <form
      ref={form}
      className={classes.root}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void review.save()
      }}
    >
      <div>
        <h2 className={classes.heading}>Edit grade</h2>
        <p className={classes.ai}>
          {aiScoreLabel(grade)} <AiScore grade={{ ...grade, manual_score_override: null }} />
        </p>
      </div>
      {review.regraded && (
        <Notice tone="warn">
          The paper was regraded while you were editing. Your changes are still here, but the suggestion is new.
        </Notice>
      )}
      {review.restored && <Notice>Restored your unsaved changes.</Notice>}
      <TextInput
        ref={score}
        className={classes.score}
        label="Manual override score"
        description={scoreFieldHint(
          typedPercent(grade, (criterion) => fields.textOf('points', criterion)),
          grade,
        )}
        inputMode="decimal"
        autoComplete="off"
        data-path="score"
        value={draft.score}
        onChange={(event) => change({ score: event.currentTarget.value })}
        error={errors.score}
        rightSection={<span className={classes.letter}>{letter ? `% ${letter}` : '%'}</span>}
        rightSectionWidth={56}
      />
      <div>
        <Textarea
          label="Manual feedback"
          description="Students see this instead of the AI summary. Leave empty to keep the summary."
          autosize
          minRows={3}
          maxRows={14}
          data-path="feedback"
          value={draft.feedback}
          onChange={(event) => change({ feedback: event.currentTarget.value })}
          error={errors.feedback}
        />
        {draft.feedback === '' && grade.llm_summary_feedback && (
          <Button
            variant="subtle"
            className={classes.start}
            onClick={() => change({ feedback: grade.llm_summary_feedback })}
          >
            Use the AI summary as a draft
          </Button>
        )}
      </div>
      <Checkbox
        label={grade.needs_review ? 'Keep flagged for review' : 'Flag for review'}
        description={grade.needs_review ? 'If unchecked, saving removes the flag.' : undefined}
        checked={draft.flagged}
        onChange={(event) => change({ flagged: event.currentTarget.checked })}
      />
    </form>
  )
}

/** What holds while no score as a whole is given. */
function scoreFieldHint(points: number | null, grade: Grade): string {
  if (points === null && grade.overall_score === null)
    return '0 to 100, for the whole paper. Leave empty to give points below instead.'
  return points === null
    ? `0 to 100. Leave empty to keep the AI score of ${formatPercent(grade.overall_score ?? 0)}.`
    : `0 to 100. Leave empty to use the total of your points below: ${formatPercent(points)}.`
}
