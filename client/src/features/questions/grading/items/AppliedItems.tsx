import type { QuestionAnswer } from '@assay/shared/questions.ts'
import type { RubricItem } from '@assay/shared/rubric-items.ts'
import { TeacherIcon } from '../../../../components/display/Attribution.tsx'
import { itemsOf } from './answer-items.ts'
import classes from './ItemList.module.css'
import { itemWorth } from './item-words.ts'

/** As the student will read them. */
export function AppliedItems({ answer, items }: { answer: QuestionAnswer; items: readonly RubricItem[] }) {
  const own = itemsOf(answer, items)
  if (own.length === 0) return null
  return (
    <ul className={classes.applied} aria-label="Rubric items of this answer">
      {own.map((item) => (
        <li key={item.id}>
          <TeacherIcon size={14} />
          <span className={classes.text}>
            {item.kind !== 'comment' && <strong>{itemWorth(item)} </strong>}
            {item.text}
          </span>
        </li>
      ))}
    </ul>
  )
}
