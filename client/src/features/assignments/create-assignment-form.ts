import type { createAssignment } from '@assay/shared/assignments.ts'
import type { BodyInput } from '@assay/shared/http/endpoint.ts'
import { fromLocalInput } from '../../lib/local-time.ts'
import { type DateValues, dateErrors, noDates } from './dates-form.ts'

export const REQUIRED = 'Assignment name, blank assignment PDF, and answer key PDF are required.'

interface NewAssignmentValues extends DateValues {
  name: string
  blank: File | null
  key: File | null
  papers: File[]
  blankIsHandwritten: boolean
  keyIsHandwritten: boolean
  papersAreHandwritten: boolean
  hideNames: boolean
}

export const newAssignmentForm = (suggestedName: string, courseId: number | null) => ({
  initialValues: {
    name: suggestedName,
    blank: null,
    key: null,
    papers: [],
    blankIsHandwritten: false,
    keyIsHandwritten: false,
    papersAreHandwritten: false,
    hideNames: false,
    ...noDates,
  } as NewAssignmentValues,
  toBody: (values: NewAssignmentValues): BodyInput<typeof createAssignment> => ({
    name: values.name.trim(),
    course_id: courseId ?? undefined,
    available_at: fromLocalInput(values.available_at) ?? undefined,
    due_at: fromLocalInput(values.due_at) ?? undefined,
    closes_at: fromLocalInput(values.closes_at) ?? undefined,
    late_rule: values.late_rule,
    hide_names: values.hideNames,
    blank_pdf_is_handwritten: values.blankIsHandwritten,
    answer_key_is_handwritten: values.keyIsHandwritten,
    student_submissions_are_handwritten: values.papers.map(() => values.papersAreHandwritten),
  }),
  check: (values: NewAssignmentValues) => ({
    ...dateErrors(values),
    ...(values.blank ? {} : { blank: REQUIRED }),
    ...(values.key ? {} : { key: REQUIRED }),
  }),
})

export const isComplete = ({ name, blank, key }: NewAssignmentValues) =>
  name.trim() !== '' && blank !== null && key !== null

/** In the order they are sent. */
export const chosenFiles = ({ blank, key, papers }: NewAssignmentValues): File[] =>
  [blank, key, ...papers].filter((file) => file !== null)
