import { getSubmissionFile } from '@assay/shared/submissions.ts'
import { IconDownload } from '@tabler/icons-react'
import { SubtleButton } from '../../../components/display/buttons.tsx'
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
      <SubtleButton
        leftSection={<IconDownload size={16} aria-hidden />}
        loading={saving}
        onClick={() => void save(getSubmissionFile, { params: { assignmentId, submissionId } }, `${title}.pdf`)}
      >
        Download
      </SubtleButton>
      {failure && <Notice tone="bad">{failure}</Notice>}
    </>
  )
}
