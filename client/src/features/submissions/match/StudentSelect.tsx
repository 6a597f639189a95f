import { Select } from '@mantine/core'
import { useMemo } from 'react'
import { type SelectableStudent, studentLabel } from '../../users/selectable-students.ts'
import classes from './MatchPage.module.css'

const MAX_SHOWN = 30

interface Props {
  label: string
  roster: readonly SelectableStudent[]
  disabled: boolean
  choose: (student: SelectableStudent) => void
}

export function StudentSelect({ label, roster, disabled, choose }: Props) {
  const data = useMemo(
    () => roster.map((student) => ({ value: String(student.id), label: studentLabel(student) })),
    [roster],
  )
  return (
    <Select
      aria-label={label}
      placeholder={roster.length === 0 ? 'Nobody is enrolled yet' : 'Choose from the roster'}
      data={data}
      value={null}
      searchable
      limit={MAX_SHOWN}
      nothingFoundMessage="No student with that name"
      disabled={disabled || roster.length === 0}
      onChange={(value) => {
        const student = roster.find(({ id }) => String(id) === value)
        if (student) choose(student)
      }}
      className={classes.choice}
    />
  )
}
