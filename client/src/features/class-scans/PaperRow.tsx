import type { ClassScan, ClassScanEdit, ClassScanPaper } from '@assay/shared/class-scans.ts'
import { Checkbox, Select } from '@mantine/core'
import classes from './class-scans.module.css'
import { PageCard } from './PageCard.tsx'
import { usePagesDrop } from './PageDragging.tsx'

interface Props {
  scan: ClassScan
  paper: ClassScanPaper
  number: number
  busy: boolean
  edit: (edit: ClassScanEdit) => void
  show: (page: string) => void
}

export function PaperRow({ scan, paper, number, busy, edit, show }: Props) {
  const { ref, isTarget } = usePagesDrop(paper.key, busy)
  const given = new Map(
    scan.papers.flatMap((one, i) => (one.student_id === null || one === paper ? [] : [[one.student_id, i + 1]])),
  )
  const students = scan.students.map(({ id, name, username, has_paper }) => {
    const other = given.get(id)
    const note = other !== undefined ? ` · paper ${other}` : has_paper ? ' · has a paper' : ''
    return { value: String(id), label: `${name} (${username})${note}` }
  })
  const reasons = [...paper.notes, ...(paper.student_doubt ? [paper.student_doubt] : [])]
  return (
    <article className={classes.paper} aria-label={`Paper ${number}`}>
      <div className={classes.paperHead}>
        <h3 className={classes.paperTitle}>Paper {number}</h3>
        <Select
          aria-label={`Student of paper ${number}`}
          placeholder="Choose the student"
          data={students}
          value={paper.student_id === null ? null : String(paper.student_id)}
          onChange={(value) =>
            edit({ kind: 'student', paper: paper.key, student_id: value === null ? null : Number(value) })
          }
          searchable
          clearable
          disabled={busy}
          className={classes.student}
        />
        {paper.name_read && <span className={classes.dim}>Read: {paper.name_read}</span>}
        <Checkbox
          label="Looks right"
          checked={paper.checked}
          disabled={busy}
          onChange={(event) => edit({ kind: 'check', paper: paper.key, checked: event.currentTarget.checked })}
        />
      </div>
      {reasons.length > 0 && (
        <ul className={classes.reasons}>
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      <ol
        ref={ref}
        className={classes.pages}
        data-target={isTarget || undefined}
        aria-label={`Pages of paper ${number}`}
      >
        {paper.pages.map((page, i) => (
          <PageCard
            key={page.key}
            scan={scan}
            page={page}
            place={{ paper, number, index: i }}
            busy={busy}
            edit={edit}
            show={show}
          />
        ))}
      </ol>
    </article>
  )
}
