import { getAssignmentPaper } from '@assay/shared/rubric-endpoints.ts'
import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { SimplePdfViewer } from '../../components/pdf/SimplePdfViewer.tsx'
import { usePdfSource } from '../../components/pdf/usePdfSource.ts'
import { urlFor } from '../../lib/api/http-client.ts'
import classes from './editor/RubricEditor.module.css'

const papers = [
  { value: 'blank', label: 'Blank assignment' },
  { value: 'key', label: 'Answer key' },
] as const

/** The blank and the key to read. Whatever befalls them, the rubric beside them stays. */
export function AssignmentPapersPane({ assignmentId, wide = false }: { assignmentId: number; wide?: boolean }) {
  const [which, setWhich] = useState<'blank' | 'key'>('blank')
  const source = usePdfSource(urlFor(getAssignmentPaper, { assignmentId, which }))
  return (
    <section className={classes.papers} data-wide={wide || undefined} aria-label="Blank assignment and answer key">
      <SegmentedControl
        aria-label="Which paper"
        fullWidth
        data={[...papers]}
        value={which}
        onChange={(value) => setWhich(value === 'key' ? 'key' : 'blank')}
      />
      <div className={classes.page}>
        <SimplePdfViewer source={source} />
      </div>
    </section>
  )
}
