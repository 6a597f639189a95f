import { type CriterionGrade, type Grade, overrideGrade } from '@assay/shared/grades.ts'
import type { Submission } from '@assay/shared/submissions.ts'
import { useRef, useState } from 'react'
import { useAnnounce } from '../../components/feedback/Announcer.tsx'
import { asApiError, messageOf } from '../../lib/api/api-error.ts'
import { callApi } from '../../lib/api/call-api.ts'
import { useSendQueue } from '../../lib/hooks/useSendQueue.ts'
import { useUser } from '../../lib/session/session.tsx'
import { toast } from '../../lib/toast.ts'
import {
  changeOf,
  criterionIdOf,
  type FieldKey,
  type FieldPart,
  fieldDrafts,
  fieldError,
  fieldKey,
  overallOf,
  storedText,
  type TypedFields,
} from './grade-form.ts'

interface LastStored {
  criterionId: string
  word: 'Saved' | 'Undone'
}

export type CriterionFields = ReturnType<typeof useCriterionFields>

interface Callbacks {
  stored: (grade: Grade, was: number) => void
  changedElsewhere: () => Promise<unknown>
}

const NOT_SAVED_YET = 'This has not been saved yet.'
const CHANGED_MEANWHILE = 'Someone else has changed this meanwhile. Check the current grade; saving again replaces it.'

/** Fields are stored on blur. The paper is reviewed only by approving it, or by its last points. */
export function useCriterionFields(submission: Submission & { grade: Grade }, { stored, changedElsewhere }: Callbacks) {
  const { grade, assignment_id: assignmentId, id: submissionId } = submission
  const user = useUser()
  const announce = useAnnounce()
  const latest = useRef(grade)
  if (grade.id !== latest.current.id || grade.revision >= latest.current.revision) latest.current = grade
  const [typed, showTyped] = useState<TypedFields>(() => fieldDrafts.find(user.id, submissionId) ?? {})
  // A field may be left, and stored, before the next render.
  const typedNow = useRef(typed)
  const [problems, setProblems] = useState<Readonly<Record<FieldKey, string>>>(() =>
    // Typed before a session ended, or left while it could not be stored.
    Object.fromEntries(Object.keys(typed).map((key) => [key, NOT_SAVED_YET])),
  )
  const [sending, setSending] = useState<readonly FieldKey[]>([])
  const [lastStored, setLastStored] = useState<LastStored | null>(null)
  const [done, setDone] = useState<{ key: FieldKey; before: string; after: string }[]>([])
  const queue = useSendQueue()

  const criterionOf = (key: FieldKey) =>
    latest.current.criterion_grades_collection.find(({ criterion_id }) => criterion_id === criterionIdOf(key))

  function setTyped(key: FieldKey, field: TypedFields[FieldKey] | null) {
    const { [key]: _, ...others } = typedNow.current
    typedNow.current = field ? { ...others, [key]: field } : others
    showTyped(typedNow.current)
    if (Object.keys(typedNow.current).length === 0) fieldDrafts.remove(user.id, submissionId)
    else fieldDrafts.save(user.id, submissionId, typedNow.current)
  }

  const setProblem = (key: FieldKey, words: string | null) =>
    setProblems(({ [key]: _, ...others }) => (words === null ? others : { ...others, [key]: words }))

  function refuse(key: FieldKey, words: string): false {
    setProblem(key, words)
    return false
  }

  async function store(key: FieldKey, word: LastStored['word']): Promise<boolean> {
    const field = typedNow.current[key]
    if (!field) return true
    const criterion = criterionOf(key)
    if (!criterion) return refuse(key, 'This grade no longer has this criterion. Reload the page.')
    const before = storedText(key, criterion)
    const change = changeOf(key, field.text, criterion)
    if (!change) {
      setTyped(key, null)
      setProblem(key, null)
      return true
    }
    const error = fieldError(key, field.text, criterion, true)
    if (error) return refuse(key, error)
    if (before !== field.base) {
      setTyped(key, { ...field, base: before })
      return refuse(key, CHANGED_MEANWHILE)
    }
    const { id: gradeId, revision } = latest.current
    setSending((all) => [...all, key])
    try {
      const { body: now } = await callApi(overrideGrade, {
        params: { assignmentId, submissionId, gradeId },
        body: { ...overallOf(latest.current), reviewed: false, criteria: [change], revision },
      })
      latest.current = now
      const after = storedText(key, criterionOf(key) ?? criterion)
      const onward = typedNow.current[key]
      // Text typed meanwhile goes on from what is stored.
      setTyped(key, onward && onward.text !== field.text ? { ...onward, base: after } : null)
      setDone((all) => (word === 'Saved' ? [...all, { key, before, after }] : all))
      setProblem(key, null)
      setLastStored({ criterionId: criterion.criterion_id, word })
      announce(`${word}.`)
      stored(now, revision)
      return true
    } catch (cause) {
      const { code } = asApiError(cause)
      const words = messageOf(cause, 'This could not be saved. Please try again.')
      setProblem(key, words)
      // At the next paper the field is out of sight; its text waits there.
      if (queue.isScreenLeft) toast.error(`${submission.student?.full_name ?? submission.student_identifier}: ${words}`)
      // A failed reload shows itself; the queue goes on.
      if (code === 'conflict' || code === 'resource_not_found') await changedElsewhere().catch(() => undefined)
      return false
    } finally {
      setSending((all) => all.filter((one) => one !== key))
    }
  }

  const enqueue = (key: FieldKey, word: LastStored['word'] = 'Saved') => queue.add(() => store(key, word))

  function undo() {
    const last = done.at(-1)
    const criterion = last && criterionOf(last.key)
    if (!last || !criterion) return
    setDone(done.slice(0, -1))
    setProblem(last.key, null)
    if (storedText(last.key, criterion) !== last.after) {
      setProblem(last.key, 'Someone else has changed this since, so it was not undone.')
      return
    }
    setTyped(last.key, { text: last.before, base: last.after })
    void enqueue(last.key, 'Undone')
  }

  return {
    textOf: (part: FieldPart, criterion: CriterionGrade) => {
      const key = fieldKey(part, criterion)
      return typed[key]?.text ?? storedText(key, criterion)
    },
    isChanged: (part: FieldPart, criterion: CriterionGrade) => typed[fieldKey(part, criterion)] !== undefined,
    errorOf(part: FieldPart, criterion: CriterionGrade) {
      const key = fieldKey(part, criterion)
      const field = typed[key]
      return field ? fieldError(key, field.text, criterion, problems[key] !== undefined) : null
    },
    problemOf(criterion: CriterionGrade) {
      const keys = [fieldKey('points', criterion), fieldKey('words', criterion)]
      const found = keys.find((key) => problems[key] !== undefined)
      if (!found || fieldError(found, typed[found]?.text ?? '', criterion, true)) return null
      return problems[found] ?? null
    },
    lastStored,
    change(part: FieldPart, criterion: CriterionGrade, text: string) {
      const key = fieldKey(part, criterion)
      const base = typedNow.current[key]?.base ?? storedText(key, criterion)
      setProblem(key, null)
      setLastStored(null)
      setTyped(key, text === storedText(key, criterion) ? null : { text, base })
    },
    save: (part: FieldPart, criterion: CriterionGrade) => void enqueue(fieldKey(part, criterion)),
    leave(part: FieldPart, criterion: CriterionGrade) {
      const key = fieldKey(part, criterion)
      // On blur, somebody else's change must not be replaced.
      if (problems[key] === undefined) void enqueue(key)
    },
    saveAgain(criterion: CriterionGrade) {
      for (const part of ['points', 'words'] as const) {
        const key = fieldKey(part, criterion)
        if (problems[key] === undefined) continue
        setProblem(key, null)
        void enqueue(key)
      }
    },
    revert(part: FieldPart, criterion: CriterionGrade) {
      const key = fieldKey(part, criterion)
      setProblem(key, null)
      setTyped(key, null)
    },
    revertAll() {
      setProblems({})
      for (const key of Object.keys(typedNow.current)) setTyped(key as FieldKey, null)
    },
    /** Stores everything typed; null where something could not be stored. */
    async settle() {
      const keys = Object.keys(typedNow.current) as FieldKey[]
      const results = await Promise.all(keys.map((key) => enqueue(key)))
      await queue.settle()
      const failed = keys[results.indexOf(false)]
      if (failed) document.querySelector<HTMLElement>(`[data-path="${CSS.escape(failed)}"]`)?.focus()
      return failed ? null : latest.current
    },
    undo: done.length > 0 ? undo : null,
    unsaved: Object.entries(typed).some(([key, { text }]) => {
      const criterion = criterionOf(key as FieldKey)
      return !sending.includes(key as FieldKey) && !(criterion && !changeOf(key as FieldKey, text, criterion))
    }),
  }
}
