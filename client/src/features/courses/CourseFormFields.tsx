import type { createCourse } from '@assay/shared/courses.ts'
import type { BodyOf } from '@assay/shared/http/endpoint.ts'
import { Select, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'

type CourseFormValues = { name: string; description: string; course_code: string; time_zone: string }

export const courseForm = (initialValues: CourseFormValues) => ({
  initialValues,
  toBody: ({ name, description, course_code, time_zone }: CourseFormValues): BodyOf<typeof createCourse> => ({
    name,
    description: description.trim() || null,
    course_code: course_code.trim() || null,
    time_zone,
  }),
})

export function CourseFormFields({ form }: { form: UseFormReturnType<CourseFormValues> }) {
  return (
    <>
      <TextInput label="Course Name" maxLength={200} required {...form.getInputProps('name')} />
      <Textarea
        label="Course Description"
        maxLength={5000}
        autosize={false}
        rows={4}
        {...form.getInputProps('description')}
      />
      <TextInput label="Course Code (optional)" maxLength={50} {...form.getInputProps('course_code')} />
      <Select
        label="Time Zone"
        description="Late papers lose points by the days of this time zone."
        searchable
        allowDeselect={false}
        limit={50}
        data={[...new Set([form.values.time_zone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]}
        {...form.getInputProps('time_zone')}
      />
    </>
  )
}
