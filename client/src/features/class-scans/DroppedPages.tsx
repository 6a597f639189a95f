import type { ClassScan, ClassScanEdit } from '@assay/shared/class-scans.ts'
import classes from './class-scans.module.css'
import { PageCard } from './PageCard.tsx'
import { usePagesDrop } from './PageDragging.tsx'

interface Props {
  scan: ClassScan
  busy: boolean
  edit: (edit: ClassScanEdit) => void
  show: (page: string) => void
}

/** Pages that go into no paper; each may be moved back. */
export function DroppedPages({ scan, busy, edit, show }: Props) {
  const { ref, isTarget } = usePagesDrop(null, busy)
  if (scan.dropped.length === 0) return null
  return (
    <section aria-label="Dropped pages">
      <h2 className={classes.heading}>Dropped pages</h2>
      <p className={classes.dim}>They go into no paper. Move one back where it belongs.</p>
      <ol ref={ref} className={classes.pages} data-target={isTarget || undefined} aria-label="Dropped pages">
        {scan.dropped.map((page) => (
          <PageCard key={page.key} scan={scan} page={page} place={null} busy={busy} edit={edit} show={show} />
        ))}
      </ol>
    </section>
  )
}
