import { formatPoints } from '@assay/shared/rules/points.ts'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import classes from './Fields.module.css'

const formatPointsInput = (points: number) => (Number.isFinite(points) ? formatPoints(points) : '')

/** A comma works too. Text that is no number stays in the field as an error. */
export function RubricPointsField(props: {
  label: string
  points: number
  change: (points: number) => void
  error?: string | undefined
  /** By which `useRowFocus` finds it. */
  focusName?: string
}) {
  const { label, points, change, error, focusName } = props
  const [typed, setTyped] = useState(() => formatPointsInput(points))
  const meant = Number.parseFloat(typed.replace(',', '.'))
  // Set from elsewhere: undone, taken over from a file.
  const value =
    Object.is(meant, points) || (Number.isNaN(points) && Number.isNaN(meant)) ? typed : formatPointsInput(points)
  return (
    <TextInput
      className={classes.points}
      label={label}
      inputMode="decimal"
      data-focus={focusName}
      value={value}
      error={error}
      // Reached by Tab, what is typed replaces it.
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => {
        const text = event.currentTarget.value
        setTyped(text)
        const next = text.replace(',', '.').trim()
        change(next === '' ? Number.NaN : Number(next))
      }}
    />
  )
}
