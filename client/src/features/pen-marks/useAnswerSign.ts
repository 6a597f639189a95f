import { addPenMark, erasePenMark } from '@assay/shared/pen-marks.ts'
import { getAnswer } from '@assay/shared/questions.ts'
import { useRef } from 'react'
import { messageOf } from '../../lib/api/api-error.ts'
import { useRevalidate } from '../../lib/api/api-hooks.ts'
import { callApi } from '../../lib/api/call-api.ts'
import { randomUuid } from '../../lib/random-uuid.ts'
import { toast } from '../../lib/toast.ts'

type Sign = 'tick' | 'cross'

/** In points, from the words to the middle of the sign before them. */
const BESIDE = 14

export function useAnswerSign(params: { assignmentId: number; questionId: string; submissionId: number }) {
  const refresh = useRevalidate()
  const sending = useRef(false)
  const { assignmentId, questionId, submissionId } = params

  async function put(kind: Sign) {
    const { evidence, pen_marks } = (await callApi(getAnswer, { params })).body
    const before = pen_marks?.find((mark) => mark.kind === kind)
    const [place] = evidence
    if (!place && !before) return toast.info('Its place on the page is not known.')
    const path = { assignmentId, submissionId, markId: before?.id ?? randomUuid() }
    if (before) await callApi(erasePenMark, { params: path })
    else if (place) {
      const at = { x: Math.max(BESIDE, place.box.x - BESIDE), y: place.box.y + place.box.height / 2, turn: 0 as const }
      const colour = kind === 'tick' ? 'green' : 'red'
      await callApi(addPenMark, { params: path, body: { kind, page: place.page, colour, ...at } })
    }
    await refresh(`/assignments/${assignmentId}/questions/${questionId}/answers/${submissionId}`)
  }
  return (kind: Sign) => {
    // Pressed twice in a moment it would be put there twice.
    if (sending.current) return
    sending.current = true
    put(kind)
      .catch((error: unknown) => toast.error(messageOf(error, 'This could not be saved. Please try again.')))
      .finally(() => {
        sending.current = false
      })
  }
}
