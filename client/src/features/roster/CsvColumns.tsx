import type { RosterPreview } from '@assay/shared/roster.ts'
import { ColumnMeaning, columnMeaningLabels, columnMeanings } from '@assay/shared/roster-columns.ts'
import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { plural } from '../../lib/format.ts'
import classes from './CsvPreview.module.css'

interface Props {
  columns: RosterPreview['columns']
  disabled: boolean
  setMeaning: (index: number, meaning: ColumnMeaning) => void
}

const choices = columnMeanings.map((value) => ({ value, label: columnMeaningLabels[value] }))

/** A gradebook has a column for each assignment: unused ones beyond this many are shown on request. */
const UNUSED_SHOWN = 3

/** The columns of a file, each with its first cells and what it holds. */
export function CsvColumns({ columns, disabled, setMeaning }: Props) {
  const [all, setAll] = useState(false)
  // By what was guessed at first, so that a column stays in place while it is changed.
  const [first] = useState(() => {
    const unused = columns.filter(({ meaning }) => meaning === 'unused').slice(UNUSED_SHOWN)
    return new Set(unused.length > 1 ? unused.map(({ index }) => index) : [])
  })
  const shown = all ? columns : columns.filter(({ index, meaning }) => meaning !== 'unused' || !first.has(index))
  const hidden = columns.length - shown.length
  return (
    <div>
      <table className={classes.columns}>
        <caption className={classes.label}>What each column holds</caption>
        <thead>
          <tr>
            <th scope="col">Column</th>
            <th scope="col">First cells</th>
            <th scope="col">Holds</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ index, heading, meaning, samples }) => {
            const name = heading || `Column ${index + 1}`
            return (
              <tr key={index} data-unused={meaning === 'unused' || undefined}>
                <th scope="row">{name}</th>
                <td className={classes.samples}>{samples.join(' · ') || '–'}</td>
                <td>
                  <NativeSelect
                    aria-label={`What “${name}” holds`}
                    data={choices}
                    value={meaning}
                    disabled={disabled}
                    onChange={({ currentTarget }) => setMeaning(index, ColumnMeaning.parse(currentTarget.value))}
                  />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {hidden > 0 && (
        <Button variant="subtle" size="sm" onClick={() => setAll(true)}>
          Show {plural(hidden, 'more column')} not used
        </Button>
      )}
    </div>
  )
}
