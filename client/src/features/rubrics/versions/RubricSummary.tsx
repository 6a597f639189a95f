import type { Rubric } from '@assay/shared/rubrics.ts'
import { questionPoints } from '@assay/shared/rules/edited-rubric.ts'
import { plural } from '../../../lib/format.ts'
import classes from './VersionsDrawer.module.css'

/** A rubric to read, not to write. */
export function RubricSummary({ rubric }: { rubric: Rubric }) {
  return (
    <ul className={classes.questions} aria-label="Questions of this version">
      {rubric.questions.map((question) => (
        <li key={question.id}>
          <strong>
            {question.number}. {question.prompt.split('\n')[0]}
          </strong>{' '}
          ({plural(questionPoints(question), 'point')})
          {question.criteria.map(({ id, expected, alternatives }) => (
            <p key={id}>{[expected || 'No expected answer', ...alternatives].join(' · ')}</p>
          ))}
        </li>
      ))}
    </ul>
  )
}
