import { getSubmissionFile } from '@assay/shared/submissions.ts'
import { Modal } from '@mantine/core'
import { SimplePdfViewer } from '../../../components/pdf/SimplePdfViewer.tsx'
import { usePdfSource } from '../../../components/pdf/usePdfSource.ts'
import { urlFor } from '../../../lib/api/http-client.ts'
import classes from './StudentPaperModal.module.css'

interface Props {
  opened: boolean
  close: () => void
  assignmentId: number
  submissionId: number
  title: string
}

/** The student's own paper as it was handed in. */
export function StudentPaperModal({ opened, close, title, ...params }: Props) {
  const source = usePdfSource(urlFor(getSubmissionFile, params))
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
      <SimplePdfViewer source={source} />
    </Modal>
  )
}
