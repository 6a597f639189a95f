import type { Assignment } from '@assay/shared/assignments.ts'
import { Link } from 'react-router-dom'
import { LinkButton } from '../../components/display/buttons.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { questionPath, rubricPath, rubricQuestionPath } from '../../paths.ts'
import classes from './DoubtfulResultsNotice.module.css'

const MOST_SHOWN = 3

interface Props {
  assignmentId: number
  doubts: Assignment['doubtful_results']
  linksToAnswers?: boolean
}

export function DoubtfulResultsNotice({ assignmentId: id, doubts = [], linksToAnswers = false }: Props) {
  const more = doubts.length - MOST_SHOWN
  if (doubts.length === 0) return null
  return (
    <Notice tone="warn" title="Check the key before you grade">
      <ul className={classes.list}>
        {doubts.slice(0, MOST_SHOWN).map(({ question_id, message }) => (
          <li key={question_id}>
            <span>{message}</span>
            <LinkButton
              to={rubricQuestionPath(id, question_id)}
              size="compact-sm"
              aria-label={`Check the key: ${message}`}
            >
              Check the key
            </LinkButton>
            {linksToAnswers && (
              <LinkButton
                to={questionPath(id, question_id)}
                size="compact-sm"
                aria-label={`See the answers: ${message}`}
              >
                See the answers
              </LinkButton>
            )}
          </li>
        ))}
        {more > 0 && (
          <li>
            <Link to={rubricPath(id)}>And {more} more in the rubric</Link>
          </li>
        )}
      </ul>
    </Notice>
  )
}
