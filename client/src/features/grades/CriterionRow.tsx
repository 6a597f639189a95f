import type { CriterionGrade } from '@assay/shared/grades.ts'
import { AiMark } from '../../components/SaidBy.tsx'
import classes from './CriterionRow.module.css'
import { formatPoints, isSure, levelWords } from './grade-words.ts'
import { LevelMark } from './LevelMark.tsx'

interface Props {
  criterion: CriterionGrade
  number: number
  chosen: boolean
  pointed: boolean
  choose: () => void
  point: (on: boolean) => void
}

/** One criterion: what was asked, what it earned, and why. Chosen, it also shows what it rests on. */
export function CriterionRow({ criterion, number, chosen, pointed, choose, point }: Props) {
  const { criterion_text, score, max_score, llm_performance_level: level } = criterion
  return (
    <li
      className={classes.root}
      data-chosen={chosen || undefined}
      data-pointed={pointed || undefined}
      onPointerEnter={() => point(true)}
      onPointerLeave={() => point(false)}
    >
      <button type="button" className={classes.row} aria-pressed={chosen} onClick={choose}>
        <span className={classes.number}>{number}</span>
        <span className={classes.text}>{criterion_text}</span>
        <span className={classes.points}>
          <strong>{formatPoints(score)}</strong> / {formatPoints(max_score)}
        </span>
      </button>
      <div className={classes.more}>
        <p className={classes.level}>
          <LevelMark level={level} />
          {levelWords[level]}
          {!isSure(criterion) && <span className={classes.unsure}>not sure</span>}
        </p>
        {criterion.llm_feedback && (
          <p className={classes.feedback}>
            <AiMark size={13} />
            <span>{criterion.llm_feedback}</span>
          </p>
        )}
        {chosen && <Evidence criterion={criterion} />}
      </div>
    </li>
  )
}

function Evidence({ criterion }: { criterion: CriterionGrade }) {
  const pages = [...Map.groupBy(criterion.evidence, (one) => one.page)]
  return (
    <div className={classes.evidence}>
      {pages.map(([page, lines]) => (
        <blockquote key={page} className={classes.quote}>
          “{lines.map((line) => line.quote).join(' ')}”<cite> page {page}</cite>
        </blockquote>
      ))}
      {pages.length === 0 && <p className={classes.nothing}>Nothing on the paper was found for this.</p>}
      <p className={classes.nothing}>Confidence {Math.round(criterion.confidence * 100)} %</p>
    </div>
  )
}
