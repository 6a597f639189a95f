import type { Evidence } from '@assay/shared/papers.ts'
import { addPenMark, erasePenMark, type PenMark, type PenMarkContent } from '@assay/shared/pen-marks.ts'
import { getAnswer } from '@assay/shared/questions.ts'
import type { Submission } from '@assay/shared/submissions.ts'
import { useRef, useState } from 'react'
import type { Pen, PenStamp } from '../../../components/pdf/pen/pen.ts'
import { messageOf } from '../../../lib/api/api-error.ts'
import { useRevalidate } from '../../../lib/api/api-hooks.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { useSendQueue } from '../../../lib/hooks/useSendQueue.ts'
import { useBeforeUnloadWarning } from '../../../lib/hooks/useUnsavedChanges.ts'
import { randomUuid } from '../../../lib/random-uuid.ts'
import { toast } from '../../../lib/toast.ts'

interface Change {
  kind: 'add' | 'erase'
  mark: PenMark
  failure?: string
}

interface Options {
  submission: Pick<Submission, 'id' | 'assignment_id' | 'pen_marks' | 'page_count'>
  patch: (change: (submission: Submission) => Submission) => void
  stamps?: readonly PenStamp[] | null
  stamped?: (itemId: number, given: boolean) => Promise<void>
}

/** Shown at once, saved in the order drawn. */
export function usePen({ submission, patch, stamps = null, stamped }: Options): Pen {
  const { id: submissionId, assignment_id: assignmentId, pen_marks: saved = [], page_count } = submission
  const [changes, setChanges] = useState<Change[]>([])
  const [undoable, setUndoable] = useState<Change[]>([])
  // A moving eraser meets a mark several times before it is redrawn.
  const gone = useRef(new Set<string>())
  const queue = useSendQueue()
  const failed = changes.filter(({ failure }) => failure !== undefined)
  useBeforeUnloadWarning(failed.length > 0)

  const added = changes.flatMap(({ kind, mark }) => (kind === 'add' ? [mark] : []))
  const erased = new Set(changes.flatMap(({ kind, mark }) => (kind === 'erase' ? [mark.id] : [])))
  const known = new Set(saved.map(({ id }) => id))
  const marks = [...saved, ...added.filter(({ id }) => !known.has(id))].filter(({ id }) => !erased.has(id))

  async function save({ kind, mark }: Change) {
    const params = { assignmentId, submissionId, markId: mark.id }
    const { id: _, author: __, created_at: ___, ...body } = mark
    const sameChange = (one: Change) => one.kind === kind && one.mark.id === mark.id
    try {
      const now = kind === 'add' ? [(await callApi(addPenMark, { params, body })).body] : []
      if (kind === 'erase') await callApi(erasePenMark, { params })
      patch((was) => ({ ...was, pen_marks: [...(was.pen_marks ?? []).filter(({ id }) => id !== mark.id), ...now] }))
      setChanges((all) => all.filter((one) => (kind === 'erase' ? one.mark.id !== mark.id : !sameChange(one))))
      if (mark.kind === 'stamp') await stamped?.(mark.item_id, kind === 'add')
    } catch (error) {
      const failure = messageOf(error, 'This could not be saved. Please try again.')
      setChanges((all) => all.map((one) => (sameChange(one) ? { ...one, failure } : one)))
    }
  }

  function change(next: Change) {
    setChanges((all) => [...all, next])
    void queue.add(() => save(next))
  }

  function add(content: PenMarkContent): PenMark {
    const mark = { ...content, id: randomUuid(), author: null, created_at: new Date().toISOString() }
    change({ kind: 'add', mark })
    return mark
  }

  function erase(id: string): PenMark | undefined {
    const mark = marks.find((one) => one.id === id)
    if (!mark || gone.current.has(id)) return
    gone.current.add(id)
    const unsaved = failed.find((one) => one.mark.id === id)
    if (unsaved) setChanges((all) => all.filter((one) => one !== unsaved))
    else change({ kind: 'erase', mark })
    return mark
  }

  function undo() {
    const done = undoable.at(-1)
    if (!done) return
    setUndoable((all) => all.slice(0, -1))
    if (done.kind === 'add') erase(done.mark.id)
    else {
      const { id: _, author: __, created_at: ___, ...content } = done.mark
      add(content)
    }
  }

  const done = (kind: Change['kind'], mark: PenMark | undefined) =>
    mark && setUndoable((all) => [...all, { kind, mark }])
  function retry() {
    setChanges((all) => all.map(({ failure: _, ...one }) => one))
    for (const one of failed) void queue.add(() => save(one))
  }

  return {
    marks,
    // Before it was read nobody knows which way up its pages are.
    edit:
      page_count === null
        ? null
        : {
            add: (content) => done('add', add(content)),
            erase: (id) => done('erase', erase(id)),
            undo: undoable.length > 0 ? undo : null,
            problem: failed[0]?.failure ? { message: failed[0].failure, count: failed.length, retry } : null,
            stamps,
          },
  }
}

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
