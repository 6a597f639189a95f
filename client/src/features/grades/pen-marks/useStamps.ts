import { applyRubricItem, listRubricItems, type RubricItem } from '@assay/shared/rubric-items.ts'
import type { Submission } from '@assay/shared/submissions.ts'
import { useEffect, useRef } from 'react'
import type { PenStamp } from '../../../components/pdf/pen/pen.ts'
import { messageOf } from '../../../lib/api/api-error.ts'
import { useGet } from '../../../lib/api/api-hooks.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { toast } from '../../../lib/toast.ts'
import { itemWorth } from '../item-words.ts'
import { seenAnswer } from '../seen-answer.ts'

/** Stamping gives a rubric item; erasing its last stamp takes it away. */
export function useStamps(submission: Submission, questionId: string | null, reload: () => Promise<unknown>) {
  const { assignment_id: assignmentId, grade, pen_marks = [] } = submission
  const params = { assignmentId, questionId: questionId ?? '' }
  const items = useGet(listRubricItems, params, undefined, { enabled: questionId !== null })
  // A stamp is still held when another criterion is chosen.
  const questions = useRef(new Map<number, string | null>())
  useEffect(() => {
    for (const { id } of items.data ?? []) questions.current.set(id, questionId)
  }, [items.data, questionId])
  const stampOf = ({ id, text, ...item }: RubricItem): PenStamp => ({
    item_id: id,
    text: [itemWorth(item), text].filter((word) => word !== '').join(' '),
  })

  async function stamped(itemId: number, given: boolean) {
    const ownQuestion = grade?.criterion_grades_collection.find(({ items: own = [] }) =>
      own.some(({ id }) => id === itemId),
    )?.question_id
    const question = ownQuestion ?? questions.current.get(itemId) ?? null
    const others = pen_marks.filter((mark) => mark.kind === 'stamp' && mark.item_id === itemId)
    if (!grade || question === null || given === (ownQuestion !== undefined) || (!given && others.length > 1)) return
    const body = { answers: [seenAnswer({ ...submission, grade }, question)], applied: given }
    try {
      const path = { assignmentId, questionId: question, itemId }
      const { changed } = (await callApi(applyRubricItem, { params: path, body })).body
      if (changed.length === 0)
        toast.error('Somebody else has changed this grade, so its points stay. It is shown as it is now.')
    } catch (error) {
      toast.error(messageOf(error, 'The points of this stamp could not be saved.'))
    }
    await reload()
  }
  return { stamps: items.data?.map(stampOf) ?? null, stamped }
}
