import type { Grade } from '@assay/shared/grades.ts'
import { letterGrade } from '@assay/shared/rules/letter-grades.ts'
import { Button } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import type { RefObject } from 'react'
import { Attribution, TeacherIcon } from '../../components/display/Attribution.tsx'
import { formatPercent, formatPoints } from '../../lib/format.ts'
import classes from './GradeHeader.module.css'
import { confidenceSummary, pointsInWords } from './grade-labels.ts'
import { LargeScore } from './LargeScore.tsx'

interface Props {
  grade: Grade
  edit: () => void
  editButton: RefObject<HTMLButtonElement | null>
}

/** The score that counts, and who gave it. */
export function GradeHeader({ grade, edit, editButton }: Props) {
  const { final_score_after_review: final, manual_score_override: override } = grade
  return (
    <header className={classes.root}>
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

export const aiScoreLabel = ({ overall_score: score }: Pick<Grade, 'overall_score'>): string =>
  score === null ? 'No AI score' : `AI score ${formatPercent(score)} ${letterGrade(score)}`

const unscoredPointsLabel = (points: number) => `${formatPoints(points)} ${points === 1 ? 'point' : 'points'}`

/** What the AI suggests, and of how much of it it is sure. */
export function AiScore({ grade }: { grade: Grade }) {
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
