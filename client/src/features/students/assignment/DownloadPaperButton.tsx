import { getSubmissionFile } from '@assay/shared/submissions.ts'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { useFileDownload } from './useFileDownload.ts'

interface Props {
  assignmentId: number
  submissionId: number
  title: string
}

export function DownloadPaperButton({ assignmentId, submissionId, title }: Props) {
  const { save, saving, failure } = useFileDownload()
  return (
    <>
      <Button
        variant="subtle"
        leftSection={<IconDownload size={16} aria-hidden />}
        loading={saving}
        onClick={() => void save(getSubmissionFile, { params: { assignmentId, submissionId } }, `${title}.pdf`)}
      >
        Download
      </Button>
      {failure && <Notice tone="bad">{failure}</Notice>}
    </>
  )
}
