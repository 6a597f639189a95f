import type { createCourse } from '@assay/shared/courses.ts'
import type { BodyOf } from '@assay/shared/http/endpoint.ts'
import { Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'

type CourseFormValues = { name: string; description: string; course_code: string }

export const courseForm = (initialValues: CourseFormValues) => ({
  initialValues,
  toBody: ({ name, description, course_code }: CourseFormValues): BodyOf<typeof createCourse> => ({
    name,
    description: description.trim() || null,
    course_code: course_code.trim() || null,
  }),
})

export function CourseFormFields({ form }: { form: UseFormReturnType<CourseFormValues> }) {
  return (
    <>
      <TextInput label="Course Name" maxLength={200} required {...form.getInputProps('name')} />
      <Textarea label="Course Description" maxLength={5000} rows={4} {...form.getInputProps('description')} />
      <TextInput label="Course Code (optional)" maxLength={50} {...form.getInputProps('course_code')} />
    </>
  )
}
