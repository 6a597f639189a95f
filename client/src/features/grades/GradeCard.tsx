import type { CriterionGrade, Grade } from '@assay/shared/grades.ts'
import { letterGrade } from '@assay/shared/rules/letter-grades.ts'
import { pointsInWords } from '@assay/shared/rules/points.ts'
import { Button, Checkbox, TextInput } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { AiIcon, Attribution, TeacherIcon } from '../../components/display/Attribution.tsx'
import { SubtleButton } from '../../components/display/buttons.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { MathText } from '../../components/math/MathText.tsx'
import { MathTextarea } from '../../components/math/MathTextarea.tsx'
import type { HighlightState } from '../../components/pdf/PdfHighlights.tsx'
import { formatPercent, formatPoints } from '../../lib/format.ts'
import { scrollWithinContainer } from '../../lib/scroll-within-container.ts'
import fieldClasses from './criteria/CriterionFeedbackField.module.css'
import { CriterionFeedbackField, FieldState } from './criteria/CriterionFeedbackField.tsx'
import { CriterionList } from './criteria/CriterionList.tsx'
import { criterionHighlightGroup } from './criteria/evidence-highlights.ts'
import classes from './GradeCard.module.css'
import { parseScore, typedPercent } from './grade-form.ts'
import { confidenceSummary, focusNextToGrade, isToGrade, toGradeMark } from './grade-labels.ts'
import { LargeScore } from './LargeScore.tsx'
import { ReviewReasons } from './ReviewReasons.tsx'
import type { GradeReview } from './useGradeReview.ts'

interface Props extends HighlightState {
  review: GradeReview
  look: (group: string) => void
  itemsOf?: (criterion: CriterionGrade) => ReactNode
  belowScore?: ReactNode
  footer?: ReactNode
}

export function GradeCard({ review, selected, hovered, select, hover, look, itemsOf, belowScore, footer }: Props) {
  const { grade, editing: formOpen, fields } = review
  const showOnPaper = ({ id }: CriterionGrade) => look(criterionHighlightGroup(id))
  const editButton = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(formOpen)
  useEffect(() => {
    // The form took the focus with it.
    if (wasOpen.current && !formOpen) editButton.current?.focus({ preventScroll: true })
    wasOpen.current = formOpen
  }, [formOpen])
  return (
    <div className={classes.root} data-grade-card>
      {formOpen ? (
        <GradeForm review={review} />
      ) : (
        <GradeHeader grade={grade} edit={review.edit} editButton={editButton} />
      )}
      {belowScore}
      {grade.needs_review && <ReviewReasons grade={grade} selected={selected} select={select} />}
      {grade.criterion_grades_collection.length > 0 && (
        <CriterionList
          grade={grade}
          fieldOf={(criterion, chosen) =>
            (formOpen || chosen || fields.isChanged('points', criterion) || isToGrade(criterion, grade)) && (
              <CriterionPointsField criterion={criterion} review={review} onFocus={() => showOnPaper(criterion)} />
            )
          }
          feedbackFieldOf={(criterion, chosen) =>
            chosen || fields.isChanged('words', criterion)
              ? (words) => (
                  <CriterionFeedbackField criterion={criterion} review={review}>
                    {words}
                  </CriterionFeedbackField>
                )
              : undefined
          }
          stateOf={(criterion) => <FieldState criterion={criterion} fields={fields} />}
          itemsOf={itemsOf}
          selected={selected}
          hovered={hovered}
          select={select}
          hover={hover}
        />
      )}
      <GradeFeedback grade={grade} />
      <div className={classes.made}>
        <p>
          Suggested by {grade.grader.name === 'offline' ? 'the built-in grader' : grade.grader.name}, version{' '}
          {grade.grader.version}
        </p>
        {footer}
      </div>
    </div>
  )
}

/** The field is focused once the form has settled (specification, point 9). */
const FOCUS_AFTER_MS = 300

function GradeForm({ review }: { review: GradeReview }) {
  const { grade, draft, errors, change, fields } = review
  const form = useRef<HTMLFormElement>(null)
  const score = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (form.current) scrollWithinContainer(form.current, 20)
    const timer = setTimeout(() => {
      // Does not interrupt someone typing in the points, which stand outside the form.
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
      className="wide-stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void review.save()
      }}
    >
      <div>
        <h2 className={classes.formHeading}>Edit grade</h2>
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
        <MathTextarea
          label="Manual feedback"
          description="Students see this instead of the AI summary. Leave empty to keep the summary."
          minRows={3}
          maxRows={14}
          data-path="feedback"
          value={draft.feedback}
          onChange={(event) => change({ feedback: event.currentTarget.value })}
          error={errors.feedback}
        />
        {draft.feedback === '' && grade.llm_summary_feedback && (
          <SubtleButton className={classes.start} onClick={() => change({ feedback: grade.llm_summary_feedback })}>
            Use the AI summary as a draft
          </SubtleButton>
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

function scoreFieldHint(points: number | null, grade: Grade): string {
  if (points === null && grade.overall_score === null)
    return '0 to 100, for the whole paper. Leave empty to give points below instead.'
  return points === null
    ? `0 to 100. Leave empty to keep the AI score of ${formatPercent(grade.overall_score ?? 0)}.`
    : `0 to 100. Leave empty to use the total of your points below: ${formatPercent(points)}.`
}

function GradeFeedback({ grade }: { grade: Grade }) {
  return (
    <div className="wide-stack">
      {grade.manual_feedback && (
        <FeedbackText title="Manual feedback" mark={<TeacherIcon />} note="Students see this instead of the summary.">
          {grade.manual_feedback}
        </FeedbackText>
      )}
      <FeedbackText title="Summary feedback" mark={<AiIcon />}>
        {grade.llm_summary_feedback || 'None.'}
      </FeedbackText>
    </div>
  )
}

interface FeedbackTextProps {
  title: string
  mark: ReactNode
  note?: string
  children: string
}

function FeedbackText({ title, mark, note, children }: FeedbackTextProps) {
  return (
    <section>
      <h3 className={classes.title}>
        {title} {mark}
      </h3>
      <p className={classes.text}>
        <MathText>{children}</MathText>
      </p>
      {note && <p className={classes.note}>{note}</p>}
    </section>
  )
}

interface GradeHeaderProps {
  grade: Grade
  edit: () => void
  editButton: RefObject<HTMLButtonElement | null>
}

function GradeHeader({ grade, edit, editButton }: GradeHeaderProps) {
  const { final_score_after_review: final, manual_score_override: override } = grade
  return (
    <header className={classes.header}>
      <div className={classes.words}>
        <h2 className={classes.heading}>Grade Details</h2>
        <LargeScore score={final} partial={grade.unscored_points > 0}>
          {override !== null && (
            <span className={classes.badge}>
              <TeacherIcon size={13} />
              {grade.override_from_points ? 'Your points' : 'Override'}
            </span>
          )}
        </LargeScore>
        {grade.points && <p className={classes.points}>{pointsInWords(grade.points)}</p>}
        <AiScore grade={grade} />
        {grade.unscored_points > 0 && (
          <p className={classes.open}>{unscoredPointsLabel(grade.unscored_points)} still to grade by hand</p>
        )}
      </div>
      <Button ref={editButton} variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={edit}>
        Edit Grade
      </Button>
    </header>
  )
}

const aiScoreLabel = ({ overall_score: score }: Pick<Grade, 'overall_score'>): string =>
  score === null ? 'No AI score' : `AI score ${formatPercent(score)} ${letterGrade(score)}`

const unscoredPointsLabel = (points: number) => `${formatPoints(points)} ${points === 1 ? 'point' : 'points'}`

function AiScore({ grade }: { grade: Grade }) {
  const sure = confidenceSummary(grade)
  const score =
    grade.manual_score_override === null
      ? grade.overall_score === null
        ? 'no score suggested'
        : grade.reviewed_at !== null && !grade.needs_review
          ? 'as suggested'
          : 'suggested'
      : aiScoreLabel(grade)
  return <Attribution who="ai">{sure ? `${score} · ${sure}` : score}</Attribution>
}

interface CriterionPointsFieldProps {
  criterion: CriterionGrade
  review: GradeReview
  onFocus: () => void
}

/** Saved on blur; left empty, the AI's points count. */
function CriterionPointsField({ criterion, review, onFocus }: CriterionPointsFieldProps) {
  const { criterion_id: id, criterion_text, score, max_score } = criterion
  const { fields, grade } = review
  return (
    <TextInput
      className={fieldClasses.points}
      aria-label={`Your points for “${criterion_text}”, of ${formatPoints(max_score)}; ${score === null ? 'not graded yet' : `leave empty for the AI’s ${formatPoints(score)}`}`}
      size="xs"
      inputMode="decimal"
      autoComplete="off"
      placeholder={score === null ? '' : formatPoints(score)}
      data-path={`points.${id}`}
      {...(isToGrade(criterion, grade) ? toGradeMark : {})}
      value={fields.textOf('points', criterion)}
      onChange={(event) => fields.change('points', criterion, event.currentTarget.value)}
      onFocus={onFocus}
      onBlur={() => fields.leave('points', criterion)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !review.editing) {
          fields.revert('points', criterion)
          event.currentTarget.blur()
        }
        if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
        if (fields.errorOf('points', criterion) || !focusNextToGrade()) fields.save('points', criterion)
      }}
      error={fields.errorOf('points', criterion)}
      rightSection={<span className={fieldClasses.most}>/ {formatPoints(max_score)}</span>}
      rightSectionWidth={44}
    />
  )
}
