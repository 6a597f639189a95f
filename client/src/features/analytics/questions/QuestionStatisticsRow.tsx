import type { Mistake, QuestionStatistics } from '@assay/shared/analytics.ts'
import { Link } from 'react-router-dom'
import { formatPercent, plural } from '../../../lib/format.ts'
import classes from './QuestionStatisticsRow.module.css'

interface Props {
  question: QuestionStatistics
  /** Its words, without those it shares with its neighbours. */
  prompt: string
  assignmentId: number
}

export function QuestionStatisticsRow({ question, prompt, assignmentId }: Props) {
  const name = question.number === null ? question.prompt : `Question ${question.number}`
  return (
    <li className={classes.root}>
      <div className={classes.words}>
        {question.number !== null && <h3 className={classes.number}>{name}</h3>}
        <p className={classes.prompt} title={question.prompt}>
          {prompt}
        </p>
      </div>
      <div className={classes.measure}>
        <span className={classes.share}>
          {formatPercent(question.average_share)} <span>{difficultyLabel(question.average_share)}</span>
        </span>
        <progress
          className={classes.bar}
          max={100}
          value={question.average_share}
          aria-label={`Share of the points of ${name}`}
        />
        {question.discrimination !== null && (
          <span className={classes.discrimination}>{discriminationLabel(question.discrimination)}</span>
        )}
      </div>
      {question.mistakes.length > 0 && (
        <ul className={classes.mistakes} aria-label={`Most common mistakes in ${name}`}>
          {question.mistakes.map((mistake) => (
            <MistakeRow
              key={mistake.example_submission_id + mistake.feedback}
              mistake={mistake}
              assignmentId={assignmentId}
            />
          ))}
        </ul>
      )}
    </li>
  )
}

function MistakeRow({ mistake, assignmentId }: { mistake: Mistake; assignmentId: number }) {
  const { count, points_lost, feedback, example_submission_id } = mistake
  return (
    <li>
      <span className={classes.count}>
        {plural(count, 'paper')}, −{plural(points_lost, 'point')}
        {count > 1 && ' each'}
      </span>
      <span className={classes.feedback}>{feedback}</span>
      <Link to={`/assignments/${assignmentId}/submissions/${example_submission_id}`} className={classes.example}>
        See an example
      </Link>
    </li>
  )
}

function difficultyLabel(share: number): string {
  if (share >= 80) return 'easy'
  return share >= 50 ? 'medium' : 'hard'
}

/** By the limits that test books give for item-total correlations. */
function discriminationLabel(discrimination: number): string {
  const value = `(${discrimination.toFixed(2).replace('-', '−')})`
  if (discrimination >= 0.3) return `Separates students well ${value}`
  if (discrimination >= 0.1) return `Separates students somewhat ${value}`
  if (discrimination >= 0) return `Barely separates students ${value}`
  return `Strong students score lower here: check the answer key ${value}`
}
