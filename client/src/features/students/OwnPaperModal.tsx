import { getSubmissionFile } from '@assay/shared/submissions.ts'
import { Modal } from '@mantine/core'
import { PlainPdf } from '../../components/pdf/PlainPdf.tsx'
import { usePdfSource } from '../../components/pdf/usePdfSource.ts'
import { urlOf } from '../../lib/http.ts'
import classes from './OwnPaperModal.module.css'

interface Props {
  opened: boolean
  close: () => void
  assignmentId: number
  submissionId: number
  title: string
}

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
      <PlainPdf source={source} />
    </Modal>
  )
}
