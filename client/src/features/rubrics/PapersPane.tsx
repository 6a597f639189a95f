import { getAssignmentPaper } from '@assay/shared/rubric-calls.ts'
import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { PlainPdf } from '../../components/pdf/PlainPdf.tsx'
import { usePdfSource } from '../../components/pdf/usePdfSource.ts'
import { urlOf } from '../../lib/http.ts'
import classes from './RubricEditor.module.css'

const papers = [
  { value: 'blank', label: 'Blank assignment' },
  { value: 'key', label: 'Answer key' },
] as const

/** The blank and the key to read. Whatever befalls them, the rubric beside them stays. */
export function PapersPane({ assignmentId, wide = false }: { assignmentId: number; wide?: boolean }) {
  const [which, setWhich] = useState<'blank' | 'key'>('blank')
  const source = usePdfSource(urlOf(getAssignmentPaper, { assignmentId, which }))
  return (
    <section
      className={classes.papers}
      data-wide={wide || undefined}
      aria-label="Blank assignment and answer key"
    >
      <SegmentedControl
        aria-label="Which paper"
        fullWidth
        data={[...papers]}
        value={which}
        onChange={(value) => setWhich(value === 'key' ? 'key' : 'blank')}
      />
      <div className={classes.page}>
        <PlainPdf source={source} />
      </div>
    </section>
  )
}
