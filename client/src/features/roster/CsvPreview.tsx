import type { RosterPreview } from '@assay/shared/roster.ts'
import { ColumnMeaning, columnMeaningLabels, columnMeanings } from '@assay/shared/roster-columns.ts'
import { Button, NativeSelect, Radio } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Notice } from '../../components/feedback/Notice.tsx'
import { TableHead } from '../../components/layout/DataTable.tsx'
import { formatCount, plural } from '../../lib/format.ts'
import classes from './CsvPreview.module.css'

type Invite = 'yes' | 'no'

interface Props {
  preview: RosterPreview
  refreshing: boolean
  adding: boolean
  error: string | null
  setMeaning: (index: number, meaning: ColumnMeaning) => void
  add: (invite: Invite) => void
  cancel: () => void
}

export function CsvPreview({ preview, refreshing, adding, error, setMeaning, add, cancel }: Props) {
  const [invite, setInvite] = useState<Invite | null>(null)
  const [unanswered, setUnanswered] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const question = useRef<HTMLDivElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const { students, without_email } = preview
  const mailable = students - without_email

  function submit() {
    if (mailable === 0) return add('no')
    if (invite) return add(invite)
    setUnanswered(true)
    question.current?.querySelector('input')?.focus()
  }

  return (
    <section className={classes.root} aria-label="Check the file">
      <h3 ref={heading} tabIndex={-1} className={classes.heading}>
        {preview.system ? `Check the file from ${preview.system}` : 'Check the file'}
      </h3>
      <p className={classes.summary} role="status">
        {preview.problem ?? summaryOf(preview)}
      </p>
      {preview.notes.map((note) => (
        <Notice key={note}>{note}</Notice>
      ))}
      <CsvColumns columns={preview.columns} disabled={adding} setMeaning={setMeaning} />
      <FirstStudents students={preview.first_students} total={students} />
      <RowList
        label="Students on the roster who get another name"
        rows={preview.renames.map(({ row, from, to }) => ({ row, text: `Row ${row}: ${from} becomes ${to}` }))}
      />
      <RowList
        label="Rows that cannot be used"
        rows={preview.refused.map(({ row, email, message }) => ({
          row,
          text: `Row ${row}${email && `, ${email}`}: ${message}`,
        }))}
        total={preview.refused_total}
      />
      {mailable > 0 && (
        <div ref={question}>
          <Radio.Group
            label="Email them?"
            value={invite}
            onChange={(value) => {
              setInvite(value === 'yes' ? 'yes' : 'no')
              setUnanswered(false)
            }}
            error={unanswered && 'Choose whether the students are emailed'}
          >
            <div className={classes.choices}>
              <Radio
                value="yes"
                label="Yes, email them"
                description="Students without an account get an invitation, the others a notice that they are enrolled."
              />
              <Radio
                value="no"
                label="No, email nobody"
                description="You can send each student an invitation later, from the roster."
              />
            </div>
          </Radio.Group>
        </div>
      )}
      {error && <Notice tone="bad">{error}</Notice>}
      <div className={classes.buttons}>
        <Button size="sm" disabled={students === 0 || refreshing} loading={adding} onClick={submit}>
          {students === 0 ? 'Add Students' : `Add ${plural(students, 'Student')}`}
        </Button>
        <Button size="sm" variant="default" disabled={adding} onClick={cancel}>
          Choose another
        </Button>
      </div>
    </section>
  )
}

function summaryOf({ students, without_email, refused_total }: RosterPreview): string {
  const bad = refused_total > 0 ? `; ${plural(refused_total, 'row')} cannot be used` : ''
  const all = `${plural(students, 'student')}${bad}.`
  if (without_email === 0) return all
  const who = without_email === students ? 'They have' : `${formatCount(without_email)} of them have`
  return `${all} ${who} no email address: papers are matched to them by name and number, and they cannot sign in.`
}

function FirstStudents({ students, total }: { students: RosterPreview['first_students']; total: number }) {
  if (students.length === 0) return null
  return (
    <div>
      <p className={classes.label}>
        {total > students.length ? `The first ${students.length} as they would be stored` : 'As they would be stored'}
      </p>
      <ul className={classes.people}>
        {students.map(({ row, full_name, email, student_number, lms_user_id }) => (
          <li key={row}>
            <span className={classes.name}>{full_name ?? email}</span>
            {[full_name && email, student_number && `Number ${student_number}`, lms_user_id && `LMS ID ${lms_user_id}`]
              .filter(Boolean)
              .map((one) => ` · ${one}`)}
          </li>
        ))}
      </ul>
    </div>
  )
}

function RowList({
  label,
  rows,
  total = rows.length,
}: {
  label: string
  rows: { row: number; text: string }[]
  total?: number
}) {
  if (rows.length === 0) return null
  return (
    <div>
      <p className={classes.label}>{label}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section className={classes.refused} tabIndex={0} aria-label={label}>
        <ul>
          {rows.map(({ row, text }) => (
            <li key={row}>{text}</li>
          ))}
          {total > rows.length && <li>{formatCount(total - rows.length)} more</li>}
        </ul>
      </section>
    </div>
  )
}

interface CsvColumnsProps {
  columns: RosterPreview['columns']
  disabled: boolean
  setMeaning: (index: number, meaning: ColumnMeaning) => void
}

const choices = columnMeanings.map((value) => ({ value, label: columnMeaningLabels[value] }))

/** A gradebook has a column for each assignment: more unused ones are shown on request. */
const UNUSED_SHOWN = 3

function CsvColumns({ columns, disabled, setMeaning }: CsvColumnsProps) {
  const [all, setAll] = useState(false)
  // By the first guess, so that a column stays in place while it is changed.
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
        <TableHead columns={['Column', 'First cells', 'Holds']} />
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
