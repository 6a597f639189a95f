import { type GroupRule, MAX_GROUP_SIZE } from '@assay/shared/groups.ts'
import { Checkbox, NumberInput, Radio } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Groups.module.css'

export interface GroupRuleValues {
  groups: boolean
  groupMax: number | string
  groupsBy: GroupRule['by']
}

export const groupRuleValuesOf = (rule: GroupRule | undefined): GroupRuleValues => ({
  groups: rule !== undefined,
  groupMax: rule?.max ?? 3,
  groupsBy: rule?.by ?? 'students',
})

/** As it is sent; null where everybody hands in alone. */
export const groupRuleOf = ({ groups, groupMax, groupsBy }: GroupRuleValues): GroupRule | null =>
  groups ? { max: Number(groupMax), by: groupsBy } : null

interface Props {
  values: GroupRuleValues
  change: (part: Partial<GroupRuleValues>) => void
  error?: ReactNode
  disabled: boolean
}

export function GroupRuleFields({ values, change, error, disabled }: Props) {
  return (
    <div className={classes.rule}>
      <Checkbox
        label="Students may work in groups"
        description="A group hands in one paper, and all of it get its grade and feedback."
        checked={values.groups}
        onChange={(event) => change({ groups: event.currentTarget.checked })}
        disabled={disabled}
      />
      {values.groups && (
        <>
          <NumberInput
            label="Groups of up to"
            suffix=" students"
            min={2}
            max={MAX_GROUP_SIZE}
            value={values.groupMax}
            onChange={(groupMax) => change({ groupMax })}
            error={error}
            disabled={disabled}
            className={classes.size}
          />
          <Radio.Group
            label="Who makes the groups"
            value={values.groupsBy}
            onChange={(by) => change({ groupsBy: by === 'teacher' ? 'teacher' : 'students' })}
          >
            <div className={classes.choices}>
              <Radio value="students" label="Students invite each other" disabled={disabled} />
              <Radio value="teacher" label="I make them: by hand, from a file, or from the LMS" disabled={disabled} />
            </div>
          </Radio.Group>
        </>
      )}
    </div>
  )
}
