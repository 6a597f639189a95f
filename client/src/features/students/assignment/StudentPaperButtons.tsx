import { getSubmissionFile } from '@assay/shared/submissions.ts'
import { Button, Modal } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'
import { useState } from 'react'
import { PdfViewer } from '../../../components/pdf/PdfViewer.tsx'
import { usePdfSource } from '../../../components/pdf/usePdfSource.ts'
import { urlFor } from '../../../lib/api/http-client.ts'
import { DownloadPaperButton } from './DownloadPaperButton.tsx'
import classes from './StudentPaperButtons.module.css'

interface Props {
  assignmentId: number
  submissionId: number
  title: string
}

/** Shows and downloads one's own paper. */
export function StudentPaperButtons(props: Props) {
  const [reading, setReading] = useState(false)
  return (
    <>
      <Button variant="subtle" leftSection={<IconFileText size={16} aria-hidden />} onClick={() => setReading(true)}>
        View your paper
      </Button>
      <DownloadPaperButton {...props} />
      <StudentPaperModal opened={reading} close={() => setReading(false)} {...props} />
    </>
  )
}

interface ModalProps extends Props {
  opened: boolean
  close: () => void
}

/** The student's own paper as it was handed in. */
function StudentPaperModal({ opened, close, title, ...params }: ModalProps) {
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
      <PdfViewer source={source} />
    </Modal>
  )
}
