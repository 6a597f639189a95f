import type { QuestionProgress } from '@assay/shared/questions.ts'
import { listOf } from '@assay/shared/rules/format-list.ts'
import { Button } from '@mantine/core'
import { IconUser } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import { StatusBadge } from '../../components/display/StatusBadge.tsx'
import { formatCount, formatPoints, formatTimeLeft, plural } from '../../lib/format.ts'
import classes from './QuestionsPage.module.css'
import { questionPath } from './question-path.ts'

interface Props {
  assignmentId: number
  question: QuestionProgress
  /** Its words, without those it shares with its neighbours. */
  prompt: string
}

/** One question: how much of it is decided, what is left, and who is on it. */
export function QuestionProgressItem({ assignmentId, question, prompt }: Props) {
  const { answers, decided, groups, undecided_groups, flagged, by_hand, mean, points, minutes_left, graders } = question
  const name = `Question ${question.number}`
  const done = answers > 0 && decided === answers
  return (
    <li className={classes.question} aria-label={name}>
      <div className={classes.words}>
        <h2 className={classes.name}>
          {name} <span>{plural(points, 'point')}</span>
        </h2>
        <p className={classes.prompt}>{prompt}</p>
      </div>
      <div className={classes.measure}>
        <span className={classes.row}>
          <span className={classes.decided}>
            {formatCount(decided)} of {plural(answers, 'answer')} decided
          </span>
          {minutes_left > 0 && <span className={classes.facts}>{formatTimeLeft(minutes_left * 60)}</span>}
        </span>
        <progress className={classes.bar} max={Math.max(1, answers)} value={decided} aria-label={`${name}, decided`} />
        <span className={classes.facts}>
          {done ? plural(groups, 'group') : `${formatCount(undecided_groups)} of ${plural(groups, 'group')} left`}
          {mean !== null && ` · mean ${formatPoints(mean)} of ${formatPoints(points)}`}
        </span>
      </div>
      <div className={classes.state}>
        {done && <StatusBadge status="reviewed">Decided</StatusBadge>}
        {flagged > 0 && <StatusBadge status="flagged">{`${formatCount(flagged)} flagged`}</StatusBadge>}
        {by_hand > 0 && <StatusBadge status="by_hand">{`${formatCount(by_hand)} by hand`}</StatusBadge>}
        {graders.length > 0 && (
          <span className={classes.graders}>
            <IconUser size={15} aria-hidden /> {listOf(graders.map(({ name }) => name))}{' '}
            {graders.length === 1 ? 'is' : 'are'} grading
          </span>
        )}
      </div>
      <Button
        component={Link}
        to={questionPath(assignmentId, question.question_id)}
        variant={done ? 'default' : 'filled'}
        aria-label={`${done ? 'Open' : 'Grade'} question ${question.number}`}
        className={classes.open}
      >
        {done ? 'Open' : 'Grade'}
      </Button>
    </li>
  )
}
