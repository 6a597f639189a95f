import type { SetUp } from '@assay/shared/lti/lti.ts'
import { NativeSelect, Radio } from '@mantine/core'
import type { FormErrors } from '@mantine/form'
import classes from './SetUp.module.css'
import type { OfferedAssignment, SetUpValues } from './set-up-form.ts'

interface Props {
  setUp: SetUp
  /** Of the chosen course. */
  offered: OfferedAssignment[]
  values: SetUpValues
  change: (part: Partial<SetUpValues>) => void
  errors: FormErrors
}

const kinds = ['copy', 'existing', 'new', 'none'] as const

/** What opens when somebody follows the link. */
export function AssignmentChoice({ setUp: { link_title, copied_from }, offered, values, change, errors }: Props) {
  const choose = (value: string) => {
    const assignment = kinds.find((kind) => kind === value)
    if (assignment) change({ assignment })
  }
  return (
    <Radio.Group
      label={link_title ? `What should “${link_title}” open?` : 'What should this link open?'}
      classNames={{ label: classes.question }}
      value={values.assignment}
      onChange={choose}
      error={errors.assignment}
    >
      <div className={classes.choices}>
        {copied_from?.assignment_id != null && (
          <Radio
            value="copy"
            label={`A copy of “${copied_from.title}” from “${copied_from.course_name}”`}
            description="Copies its blank paper, answer key and rubric into a new draft, without student work."
          />
        )}
        {offered.length > 0 && (
          <Radio value="existing" label="An assignment of this course" description="It is already in Assay." />
        )}
        {offered.length > 0 && values.assignment === 'existing' && (
          <NativeSelect
            className={classes.more}
            label="Assignment"
            data={[
              { value: '', label: 'Choose an assignment' },
              ...offered.map(({ id, title, status }) => ({
                value: String(id),
                label: status === 'draft' ? `${title} (draft)` : title,
              })),
            ]}
            data-path="assignmentId"
            error={errors.assignmentId}
            value={String(values.assignmentId ?? '')}
            onChange={(event) => change({ assignmentId: Number(event.currentTarget.value) || null })}
            required
          />
        )}
        <Radio
          value="new"
          label="A new assignment"
          description="You choose the blank paper and the answer key on the next page."
        />
        <Radio
          value="none"
          label="The course, with all its assignments"
          description="This link then has no grade column."
        />
      </div>
    </Radio.Group>
  )
}
