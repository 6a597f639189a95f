import type { SetUp } from '@assay/shared/lti/lti.ts'
import { NativeSelect, Radio, TextInput } from '@mantine/core'
import type { FormErrors } from '@mantine/form'
import { plural } from '../../../lib/format.ts'
import classes from './SetUp.module.css'
import type { SetUpValues } from './set-up-form.ts'

interface Props {
  setUp: SetUp
  lms: string
  values: SetUpValues
  change: (part: Partial<SetUpValues>) => void
  errors: FormErrors
}

/** A course of its own, or one more section of a course that is here already. */
export function CourseChoice({ setUp: { courses, context_title }, lms, values, change, errors }: Props) {
  const isNew = values.course === 'new'
  const choose = (course: string) =>
    change({ course: course === 'existing' ? 'existing' : 'new', ...resetAssignment(values) })
  return (
    <Radio.Group
      label={context_title ? `Which course is “${context_title}”?` : 'Which course is this?'}
      classNames={{ label: classes.question }}
      value={values.course}
      onChange={choose}
      error={errors.course}
    >
      <div className={classes.choices}>
        <Radio value="new" label="A new course in Assay" description={`Students are added from ${lms}.`} />
        {isNew && (
          <TextInput
            className={classes.more}
            label="Course name"
            value={values.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
            maxLength={200}
            required
            data-path="name"
            error={errors.name}
          />
        )}
        {courses.length > 0 && (
          <Radio
            value="existing"
            label="Another section of a course I teach here"
            description="Its students are added to that course. Both sections share its assignments."
          />
        )}
        {!isNew && (
          <NativeSelect
            className={classes.more}
            label="Course"
            data={[
              { value: '', label: 'Choose a course' },
              ...courses.map(({ id, name, assignments }) => ({
                value: String(id),
                label: `${name} (${plural(assignments, 'assignment')})`,
              })),
            ]}
            data-path="courseId"
            error={errors.courseId}
            value={String(values.courseId ?? '')}
            onChange={(event) =>
              change({ courseId: Number(event.currentTarget.value) || null, ...resetAssignment(values) })
            }
            required
          />
        )}
      </div>
    </Radio.Group>
  )
}

/** An assignment chosen from another course is none of this one's. */
const resetAssignment = ({ assignment }: SetUpValues): Partial<SetUpValues> => ({
  assignmentId: null,
  assignment: assignment === 'existing' ? 'new' : assignment,
})
