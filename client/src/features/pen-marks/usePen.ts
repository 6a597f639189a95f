import { addPenMark, erasePenMark, type PenMark, type PenMarkContent } from '@assay/shared/pen-marks.ts'
import type { Submission } from '@assay/shared/submissions.ts'
import { useRef, useState } from 'react'
import type { Pen, PenStamp } from '../../components/pdf/pen/pen.ts'
import { messageOf } from '../../lib/api/api-error.ts'
import { callApi } from '../../lib/api/call-api.ts'
import { useBeforeUnloadWarning } from '../../lib/hooks/useUnsavedChanges.ts'
import { randomUuid } from '../../lib/random-uuid.ts'

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
  const last = useRef<Promise<unknown>>(Promise.resolve())
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
    last.current = last.current.then(() => save(next))
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
    for (const one of failed) last.current = last.current.then(() => save(one))
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
