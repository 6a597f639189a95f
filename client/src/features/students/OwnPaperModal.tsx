import { getSubmissionFile } from '@assay/shared/submissions.ts'
import { Modal } from '@mantine/core'
import { Suspense } from 'react'
import { PdfSkeleton } from '../../components/pdf/PdfSkeleton.tsx'
import { usePdfSource } from '../../components/pdf/usePdfSource.ts'
import { SmartErrorBoundary } from '../../errors/SmartErrorBoundary.tsx'
import { urlOf } from '../../lib/http.ts'
import { lazyPart } from '../../lib/lazy-part.tsx'
import classes from './OwnPaperModal.module.css'

const PdfPages = lazyPart(() => import('../../components/pdf/PdfPages.tsx').then((part) => part.PdfPages))

interface Props {
  opened: boolean
  close: () => void
  assignmentId: number
  submissionId: number
  title: string
}

const nothing = () => {}

/** The student's own paper as it was handed in. */
export function OwnPaperModal({ opened, close, title, ...params }: Props) {
  const source = usePdfSource(urlOf(getSubmissionFile, params))
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={<span className={classes.title}>Your paper · {title}</span>}
      closeButtonProps={{ 'aria-label': 'Close' }}
      fullScreen
      radius={0}
      classNames={{ content: classes.content, body: classes.body, header: classes.header }}
    >
      <SmartErrorBoundary context="file" beforeRetry={PdfPages.loadAgain}>
        <Suspense fallback={<PdfSkeleton />}>
          <PdfPages
            source={source}
            next={null}
            marks={[]}
            chosen={null}
            pointed={null}
            choose={nothing}
            point={nothing}
            look={null}
          />
        </Suspense>
      </SmartErrorBoundary>
    </Modal>
  )
}
