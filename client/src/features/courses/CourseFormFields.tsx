import { Textarea, TextInput } from '@mantine/core'
import type { ApiError } from '../../lib/api/api-error.ts'

export interface CourseFormValues {
  name: string
  description: string
  course_code: string
}

export const emptyCourseForm: CourseFormValues = { name: '', description: '', course_code: '' }

/** As the server wants it: what is empty is nothing. */
export function courseBody({ name, description, course_code }: CourseFormValues) {
  return { name, description: description.trim() || null, course_code: course_code.trim() || null }
}

/** Whether a refusal is shown at one of the fields. */
export function isCourseFieldError(error: ApiError): boolean {
  return ['name', 'description', 'course_code'].some((field) => error.fields[field])
}

/** The three fields of a course, for making one and for changing it. */
export function CourseFormFields({
  fields,
  change,
  error,
}: {
  fields: CourseFormValues
  change: (fields: CourseFormValues) => void
  error: ApiError | null
}) {
  const wrong = error?.fields ?? {}
  return (
    <>
      <TextInput
        label="Course Name"
        value={fields.name}
        onChange={(event) => change({ ...fields, name: event.currentTarget.value })}
        maxLength={200}
        required
        error={wrong.name}
      />
      <Textarea
        label="Course Description"
        value={fields.description}
        onChange={(event) => change({ ...fields, description: event.currentTarget.value })}
        maxLength={5000}
        rows={4}
        error={wrong.description}
      />
      <TextInput
        label="Course Code (optional)"
        value={fields.course_code}
        onChange={(event) => change({ ...fields, course_code: event.currentTarget.value })}
        maxLength={50}
        error={wrong.course_code}
      />
    </>
  )
}
