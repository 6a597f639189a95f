import type { Rubric } from '@assay/shared/rubrics.ts'
import { totalPoints } from '@assay/shared/rules/edited-rubric.ts'
import { type QuestionRef, rubricChanges } from '@assay/shared/rules/rubric-changes.ts'
import { plural } from '../../../lib/format.ts'
import classes from '../editor/RubricEditor.module.css'
import { changedParts, questionsLabel } from '../rubric-draft.ts'

const find = ({ questions }: Rubric, id: string) => questions.find((question) => question.id === id)

const named = (list: QuestionRef[]) => questionsLabel(list.map(({ number }) => number))

/** What would be different with another rubric, in words. */
export function ChangesList({ before, after }: { before: Rubric; after: Rubric }) {
  const { changed, added, removed } = rubricChanges(before, after)
  const points = [totalPoints(before), totalPoints(after)] as const
  const same = changed.length + added.length + removed.length === 0
  return (
    <ul className={classes.changes}>
      {same && <li>No changes to grading.</li>}
      {changed.map(({ id, number }) => (
        <li key={id}>
          Changes question {number}: {changedParts(find(before, id), find(after, id)).join(', ')}.
        </li>
      ))}
      {added.length > 0 && <li>Adds {named(added)}.</li>}
      {removed.length > 0 && <li>Removes {named(removed)}.</li>}
      {points[0] !== points[1] && (
        <li>
          {plural(points[1], 'point')} in total (was {points[0]}).
        </li>
      )}
    </ul>
  )
}
