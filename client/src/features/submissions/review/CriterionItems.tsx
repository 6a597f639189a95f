import type { CriterionGrade, Grade } from '@assay/shared/grades.ts'
import { applyRubricItem, listRubricItems, type RubricItem } from '@assay/shared/rubric-items.ts'
import type { Submission } from '@assay/shared/submissions.ts'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { SubtleButton } from '../../../components/display/buttons.tsx'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { messageOf } from '../../../lib/api/api-error.ts'
import { useGet, useSend } from '../../../lib/api/api-hooks.ts'
import { seenAnswer } from '../../grades/seen-answer.ts'
import { ItemToggle } from '../../questions/grading/items/ItemList.tsx'
import { ItemModal } from '../../questions/grading/items/ItemModal.tsx'
import classes from './CriterionItems.module.css'

interface Props {
  submission: Submission & { grade: Grade }
  criterion: CriterionGrade
  /** Unsaved text in the form would be in conflict. */
  editing: boolean
  settle: () => Promise<Grade | null>
  changed: () => Promise<void>
}

export function CriterionItems({ submission, criterion, editing, settle, changed }: Props) {
  const params = { assignmentId: submission.assignment_id, questionId: criterion.question_id }
  const listed = useGet(listRubricItems, params)
  const apply = useSend(applyRubricItem)
  const [problem, setProblem] = useState<string | null>(null)
  const [adding, setAdding] = useState(false)
  const offered = listed.data?.filter(({ criterion_id }) => criterion_id === criterion.criterion_id)
  const items = offered ?? criterion.items ?? []
  const own = new Set(criterion.items?.map(({ id }) => id))
  async function toggle(item: Pick<RubricItem, 'id'>) {
    setProblem(null)
    const grade = await settle()
    if (!grade) return
    const body = { answers: [seenAnswer({ ...submission, grade }, criterion.question_id)], applied: !own.has(item.id) }
    try {
      const { conflicts, unavailable } = await apply.send({ params: { ...params, itemId: item.id }, body })
      if (conflicts.length > 0) setProblem('Somebody else has changed this grade. It is shown as it is now.')
      if (unavailable.length > 0) setProblem('This paper is being graded, or was graded with another rubric.')
    } catch (error) {
      setProblem(messageOf(error, 'This could not be saved. Please try again.'))
    }
    await changed()
  }

  return (
    <div className={classes.root}>
      {items.length > 0 && (
        <ul className={classes.list} aria-label="Rubric items">
          {items.map((item) => (
            <li key={item.id}>
              <ItemToggle
                item={item}
                pressed={own.has(item.id)}
                disabled={editing || apply.sending || !offered}
                toggle={() => void toggle(item)}
              />
            </li>
          ))}
        </ul>
      )}
      <SubtleButton
        size="compact-xs"
        leftSection={<IconPlus size={14} aria-hidden />}
        disabled={!offered}
        onClick={() => setAdding(true)}
      >
        Add a rubric item
      </SubtleButton>
      <ItemModal
        assignmentId={submission.assignment_id}
        question={{
          id: criterion.question_id,
          criteria: [{ id: criterion.criterion_id, text: criterion.criterion_text, points: criterion.max_score }],
        }}
        panel={{
          form: adding ? { adding: { criterionId: criterion.criterion_id } } : null,
          closeForm: () => setAdding(false),
          items: listed.data ?? [],
          // A new one is on no answer.
          countOf: () => 0,
          loaded: listed,
        }}
        published={false}
        changed={() => {}}
      />
      {editing && items.length > 0 && (
        <p className={classes.hint}>Save or discard your changes to give rubric items.</p>
      )}
      {problem && <Notice tone="warn">{problem}</Notice>}
    </div>
  )
}
