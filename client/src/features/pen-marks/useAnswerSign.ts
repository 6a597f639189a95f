import type { Evidence } from '@assay/shared/papers.ts'
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
/** Few pages are narrower than A4, in points. */
const PAGE_WIDTH = 595

/** After a line that leaves room for it; else before the first, where the question's number may be. */
function besideWords(lines: readonly Evidence[]) {
  const end = ({ box }: Evidence) => box.x + box.width + BESIDE
  const line = lines.find((one) => end(one) <= PAGE_WIDTH - BESIDE)
  const place = line ?? lines[0]
  if (!place) return null
  const x = line ? end(line) : Math.max(BESIDE, place.box.x - BESIDE)
  return { page: place.page, x, y: place.box.y + place.box.height / 2 }
}

/** Puts a tick or cross beside an answer on its page; the same again erases it. */
export function useAnswerSign(params: { assignmentId: number; questionId: string; submissionId: number }) {
  const refresh = useRevalidate()
  const sending = useRef(false)
  const { assignmentId, questionId, submissionId } = params

  async function put(kind: Sign) {
    const { evidence, pen_marks } = (await callApi(getAnswer, { params })).body
    const before = pen_marks?.find((mark) => mark.kind === kind)
    const place = besideWords(evidence)
    if (!place && !before) return toast.info('Its place on the page is not known.')
    const path = { assignmentId, submissionId, markId: before?.id ?? randomUuid() }
    const colour = kind === 'tick' ? 'green' : 'red'
    if (before) await callApi(erasePenMark, { params: path })
    else if (place) await callApi(addPenMark, { params: path, body: { kind, ...place, turn: 0, colour } })
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
